#include "engine/session/session.h"

#include "engine/session/recording_loader.h"
#include "engine/session/simulated_machine.h"
#include "engine/session/worker.h"

namespace tlbscope {

Session::Session(std::string resources, std::function<void()> notify, const Scenario& first)
    : Session(simulated_machines(std::move(resources)), recording_loader(), std::move(notify), first) {}

Session::Session(MachineFactory machines, RecordingLoader loader, std::function<void()> notify,
                 const Scenario& first)
    : worker_(std::make_unique<SessionWorker>(std::move(machines), std::move(loader), std::move(notify),
                                              first)) {}

Session::~Session() = default;

std::shared_ptr<const Snapshot> Session::snapshot() const {
    return worker_->snapshot();
}
LoadProgress Session::load_progress() const {
    return worker_->load_progress();
}
std::string Session::take_error() {
    return worker_->take_error();
}
Scenario Session::scenario() const {
    return worker_->scenario();
}
std::uint64_t Session::edits() const {
    return worker_->edits();
}

void Session::reset(const Scenario& scenario) {
    worker_->set_scenario(scenario, true);
}
void Session::apply(const Scenario& scenario) {
    worker_->set_scenario(scenario, false);
}

std::uint64_t Session::mark() {
    return worker_->mark();
}
bool Session::wait_for(std::uint64_t mark, double seconds) {
    return worker_->wait_for(mark, seconds);
}

void Session::play() {
    worker_->post([w = worker_.get()] { w->play(true); });
}
void Session::pause() {
    worker_->post([w = worker_.get()] { w->play(false); });
}
void Session::set_speed(double simulated_per_host_second) {
    worker_->post(
        [w = worker_.get(), simulated_per_host_second] { w->set_speed(simulated_per_host_second); });
}
void Session::step_event(int n) {
    worker_->post([w = worker_.get(), n] { w->step_events(n); });
}
void Session::step_shootdown(int n) {
    worker_->post([w = worker_.get(), n] { w->step_shootdowns(n); });
}
void Session::run_to_next_flush() {
    worker_->post([w = worker_.get()] { w->run_to_next_flush(); });
}
void Session::seek(std::uint64_t event_index) {
    worker_->post([w = worker_.get(), event_index] { w->seek(event_index); });
}
void Session::seek_time(std::int64_t ticks) {
    worker_->post([w = worker_.get(), ticks] { w->seek_time(ticks); });
}
void Session::select_shootdown(std::uint32_t shootdown) {
    worker_->post([w = worker_.get(), shootdown] { w->select_shootdown(shootdown); });
}
void Session::set_needs(const ViewNeeds& needs) {
    worker_->post([w = worker_.get(), needs] { w->set_needs(needs); });
}
void Session::open_recording(const std::string& path) {
    worker_->post([w = worker_.get(), path] { w->open_recording(path); });
}
void Session::cancel_load() {
    worker_->post([w = worker_.get()] { w->cancel_load(); });
}
void Session::close_recording() {
    worker_->post([w = worker_.get()] { w->close_recording(); });
}

} // namespace tlbscope
