// Windows that list something: the keys, the glossary, an import report. Never modal.
#pragma once

#include "engine/session/session.h"

#include <QDialog>

namespace tlbscope {

struct Actions;

// A table of two or three columns that can be copied. Shown until closed; deletes itself then.
struct TextRow {
    QString group, name, text;
};
QDialog* showTable(QWidget* parent, const QString& title, const QString& intro, const QStringList& columns,
                   const QList<TextRow>& rows);

QDialog* showKeys(QWidget* parent, const Actions& actions);
QDialog* showGlossary(QWidget* parent);
QDialog* showReport(QWidget* parent, const LoadProgress& load);

} // namespace tlbscope
