// Draws every view to PNG files without a display: render_views FOLDER [PART-OF-NAME].
#include "tests/views/synthetic.h"
#include "views/machine/machine_view.h"
#include "views/theme/theme.h"

#include <QApplication>
#include <QDir>
#include <QElapsedTimer>

#include <cstdio>
#include <functional>

using namespace tlbscope;

namespace {

struct Renderer {
    QApplication& application;
    QString folder, filter;

    void draw(const QString& name, QSize size, const std::function<QWidget*()>& make, double scale = 1) {
        if (!name.contains(filter)) return;
        static const std::pair<ThemeKind, const char*> themes[] = {
            {ThemeKind::dark, "dark"}, {ThemeKind::light, "light"}, {ThemeKind::high_contrast, "contrast"}};
        for (const auto& [kind, suffix] : themes) {
            if (kind == ThemeKind::high_contrast && !filter.contains(QStringLiteral("contrast")) && filter != name) continue;
            Theme::apply(application, Theme::make(kind, scale));
            const std::unique_ptr<QWidget> widget(make());
            widget->resize(size);
            widget->show();
            QApplication::processEvents();
            QElapsedTimer timer;
            timer.start();
            const QPixmap picture = widget->grab();
            std::printf("%s-%s %.1f ms\n", qPrintable(name), suffix, static_cast<double>(timer.nsecsElapsed()) / 1e6);
            picture.save(folder + u'/' + name + u'-' + QLatin1String(suffix) + QStringLiteral(".png"));
        }
    }
};

QWidget* machineOf(const synthetic::Spec& spec, int select = -1) {
    auto* view = new MachineView;
    view->setSnapshot(synthetic::snapshot(spec));
    if (select >= 0) view->selectCpu(static_cast<CpuId>(select));
    return view;
}

void machines(Renderer& r) {
    using synthetic::Arrays;
    using synthetic::Spec;
    r.draw("machine-2", {960, 540}, [] { return machineOf({.topology = {1, 1, 2}, .arrays = Arrays::teaching}); });
    r.draw("machine-4-teaching", {960, 540}, [] { return machineOf({.topology = {1, 2, 2}, .arrays = Arrays::teaching, .busy_cpus = 4}, 1); });
    r.draw("machine-8", {930, 540}, [] { return machineOf({.topology = {1, 4, 2}, .busy_cpus = 5}, 1); });
    r.draw("machine-8-small", {700, 420}, [] { return machineOf({.topology = {1, 4, 2}, .busy_cpus = 5}, 1); });
    r.draw("machine-8-large", {1400, 760}, [] { return machineOf({.topology = {1, 4, 2}, .busy_cpus = 8}); });
    r.draw("machine-8-skylake", {1100, 620}, [] { return machineOf({.topology = {1, 4, 2}, .arrays = Arrays::skylake}); });
    r.draw("machine-8-zen3", {1100, 620}, [] { return machineOf({.topology = {1, 4, 2}, .arrays = Arrays::zen3}); });
    r.draw("machine-8-talk", {1400, 800}, [] { return machineOf({.topology = {1, 4, 2}}); }, 1.6);
    r.draw("machine-16", {1100, 620}, [] { return machineOf({.topology = {2, 4, 2}}, 3); });
    r.draw("machine-64", {1100, 620}, [] { return machineOf({.topology = {2, 16, 2}}, 3); });
    r.draw("machine-256", {1250, 640}, [] { return machineOf({.topology = {2, 64, 2}, .arrays = Arrays::skylake}, 3); });
    r.draw("machine-256x2112", {1920, 1000}, [] { return machineOf({.topology = {4, 64, 1}, .arrays = Arrays::zen3}, 3); });
    r.draw("machine-1024", {1250, 640}, [] { return machineOf({.topology = {8, 64, 2}}, 3); });
    r.draw("machine-recorded-4", {930, 540}, [] { return machineOf({.topology = {1, 4, 1}, .recorded = true}, 1); });
    r.draw("machine-recorded-16", {930, 540}, [] { return machineOf({.topology = {1, 16, 1}, .recorded = true}, 1); });
    r.draw("machine-recorded-128", {930, 540}, [] { return machineOf({.topology = {1, 128, 1}, .recorded = true}, 1); });
}

} // namespace

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    Renderer renderer{application, argc > 1 ? argv[1] : ".", argc > 2 ? argv[2] : ""};
    QDir().mkpath(renderer.folder);
    machines(renderer);
    return 0;
}
