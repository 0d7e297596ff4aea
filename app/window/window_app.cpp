#include "app/window/window_app.h"

#include "app/window/main_window.h"
#include "app/window/scene.h"

#include <QApplication>
#include <QScreen>

namespace tlbscope {
namespace {

void nameApplication() {
    QCoreApplication::setApplicationName(QStringLiteral("tlbscope"));
    QCoreApplication::setOrganizationName(QStringLiteral("tlbscope"));
    QGuiApplication::setDesktopFileName(QStringLiteral("tlbscope"));
}

} // namespace

int run_window(int& argc, char** argv, const WindowOptions& options) {
    MainWindowOptions window;
    window.resources = options.resources;
    if (options.scenario) window.scenario = *options.scenario;
    window.speed = options.speed;
    if (!options.theme.empty()) window.theme = parseTheme(options.theme);
    if (!options.page.empty()) window.page = parsePage(options.page);
    if (!options.scene.empty())
        load_scene(options.resources, options.scene); // complain before there is a window
    nameApplication();
    QApplication application(argc, argv);
    if (const QScreen* screen = QGuiApplication::primaryScreen())
        window.size = window.size.boundedTo(screen->availableSize());
    MainWindow main(window);
    main.show();
    if (options.present) main.setPresenting(true);
    if (!options.scene.empty()) main.startScene(options.scene);
    if (!options.recording.empty())
        main.openRecording(QString::fromStdString(options.recording));
    else if (options.play && main.page() == Page::machine)
        main.session().play();
    return QApplication::exec();
}

} // namespace tlbscope
