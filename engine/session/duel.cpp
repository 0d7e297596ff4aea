#include "engine/session/duel.h"

#include "engine/session/duel_worker.h"
#include "engine/session/simulated_machine.h"

namespace tlbscope {

Duel::Duel(std::string resources, std::function<void()> notify, const Scenario& left, const Scenario& right)
    : Duel(simulated_machines(std::move(resources)), std::move(notify), left, right) {}

Duel::Duel(MachineFactory machines, std::function<void()> notify, const Scenario& left, const Scenario& right)
    : worker_(std::make_unique<DuelWorker>(std::move(machines), std::move(notify), left, right)) {}

Duel::~Duel() = default;

std::shared_ptr<const DuelSnapshot> Duel::snapshot() const {
    return worker_->snapshot();
}
std::string Duel::take_error() {
    return worker_->take_error();
}
std::uint64_t Duel::mark() {
    return worker_->mark();
}
bool Duel::wait_for(std::uint64_t mark, double seconds) {
    return worker_->wait_for(mark, seconds);
}

void Duel::reset(const Scenario& left, const Scenario& right) {
    worker_->post([w = worker_.get(), left, right] { w->reset(left, right); });
}
void Duel::set_lockstep(Lockstep lockstep) {
    worker_->post([w = worker_.get(), lockstep] { w->set_lockstep(lockstep); });
}
void Duel::play() {
    worker_->post([w = worker_.get()] { w->play(true); });
}
void Duel::pause() {
    worker_->post([w = worker_.get()] { w->play(false); });
}
void Duel::set_speed(double simulated_per_host_second) {
    worker_->post(
        [w = worker_.get(), simulated_per_host_second] { w->set_speed(simulated_per_host_second); });
}
void Duel::step_event(int n) {
    worker_->post([w = worker_.get(), n] { w->move([n](DuelTrack& track) { track.step_events(n); }, true); });
}
void Duel::run_to_next_tick() {
    worker_->post([w = worker_.get()] { w->move([](DuelTrack& track) { track.go_to_next_tick(); }, true); });
}
void Duel::seek_time(Cycles t) {
    worker_->post([w = worker_.get(), t] { w->move([t](DuelTrack& track) { track.go_to_time(t); }, false); });
}
void Duel::set_needs(const ViewNeeds& needs) {
    worker_->post([w = worker_.get(), needs] { w->set_needs(needs); });
}

} // namespace tlbscope
