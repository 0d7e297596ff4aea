// One QApplication for all tests of the views, without a display.
#include "views/theme/theme.h"

#include <QApplication>

#include <gtest/gtest.h>

int main(int argc, char** argv) {
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
    ::testing::InitGoogleTest(&argc, argv);
    QApplication application(argc, argv);
    tlbscope::Theme::apply(application, tlbscope::Theme::make(tlbscope::ThemeKind::dark));
    return RUN_ALL_TESTS();
}
