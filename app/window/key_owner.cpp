#include "app/window/key_owner.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractScrollArea>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QKeyEvent>
#include <QLineEdit>
#include <QTabBar>

namespace tlbscope {

bool keepsKey(const QWidget* focus, const QKeyEvent* event) {
    if (!focus || event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier))
        return false;
    const int key = event->key();
    const bool arrow = key == Qt::Key_Left || key == Qt::Key_Right || key == Qt::Key_Up ||
                       key == Qt::Key_Down || key == Qt::Key_Home || key == Qt::Key_End;
    if (qobject_cast<const QLineEdit*>(focus) || qobject_cast<const QAbstractSpinBox*>(focus))
        return key < Qt::Key_F1 || key > Qt::Key_F35;
    if (qobject_cast<const QComboBox*>(focus)) return arrow || key == Qt::Key_Space;
    if (qobject_cast<const QAbstractButton*>(focus)) return key == Qt::Key_Space;
    if (qobject_cast<const QAbstractSlider*>(focus) || qobject_cast<const QTabBar*>(focus)) return arrow;
    if (qobject_cast<const QAbstractItemView*>(focus)) return arrow;
    // The machine: arrows select a CPU.
    if (qobject_cast<const QAbstractScrollArea*>(focus))
        return arrow && !(event->modifiers() & Qt::ShiftModifier);
    return false;
}

} // namespace tlbscope
