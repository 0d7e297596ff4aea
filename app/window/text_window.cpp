#include "app/window/text_window.h"

#include "app/window/actions.h"
#include "app/window/themed_label.h"
#include "engine/core/event.h"
#include "views/format/format.h"

#include <QApplication>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QHeaderView>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

namespace tlbscope {

QDialog* showTable(QWidget* parent, const QString& title, const QString& intro, const QStringList& columns,
                   const QList<TextRow>& rows) {
    const Theme& t = Theme::current();
    auto* dialog = new QDialog(parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(title);
    auto* column = new QVBoxLayout(dialog);
    column->addWidget(new ThemedLabel(title, FontRole::title, Tone::text, dialog));
    if (!intro.isEmpty()) {
        auto* text = new ThemedLabel(intro, FontRole::body, Tone::dim, dialog);
        text->setWordWrap(true);
        column->addWidget(text);
    }
    auto* table = new QTableWidget(static_cast<int>(rows.size()), static_cast<int>(columns.size()), dialog);
    table->setHorizontalHeaderLabels(columns);
    table->verticalHeader()->hide();
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setWordWrap(true);
    table->setAccessibleName(title);
    for (int r = 0; r < rows.size(); ++r) {
        const QStringList cells{rows[r].group, rows[r].name, rows[r].text};
        for (int c = 0; c < columns.size(); ++c) {
            auto* item = new QTableWidgetItem(cells[c]);
            item->setTextAlignment(Qt::AlignLeft | Qt::AlignTop);
            table->setItem(r, c, item);
        }
    }
    table->resizeColumnsToContents();
    table->horizontalHeader()->setStretchLastSection(true);
    table->resizeRowsToContents();
    column->addWidget(table, 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    for (QAbstractButton* button : buttons->buttons())
        button->setIcon({});
    auto* copy = buttons->addButton(QDialog::tr("Copy"), QDialogButtonBox::ActionRole);
    QObject::connect(copy, &QPushButton::clicked, dialog, [rows] {
        QString text;
        for (const TextRow& row : rows)
            text += QStringList{row.group, row.name, row.text}.join(u'\t') + u'\n';
        QApplication::clipboard()->setText(text);
    });
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
    column->addWidget(buttons);
    dialog->resize(t.px(760), t.px(520));
    dialog->show();
    return dialog;
}

QDialog* showKeys(QWidget* parent, const Actions& actions) {
    QList<TextRow> rows;
    for (const QAction* action : actions.all()) {
        if (action->shortcuts().isEmpty()) continue;
        QStringList names;
        for (const QKeySequence& key : action->shortcuts())
            names << key.toString(QKeySequence::NativeText);
        QString text = action->text();
        rows << TextRow{names.join(QDialog::tr(" or ")), text.remove(u'&').remove(u'…'), action->statusTip()};
    }
    rows << TextRow{QDialog::tr("Tab, Shift+Tab"), QDialog::tr("Move the focus"),
                    QDialog::tr("A slider, list or view that has it takes the arrow keys")}
         << TextRow{QDialog::tr("Double click"), QDialog::tr("Back to the default"),
                    QDialog::tr("On a slider or the name of a parameter")};
    return showTable(parent, QDialog::tr("Keys"), {},
                     {QDialog::tr("Key"), QDialog::tr("Does"), QDialog::tr("More")}, rows);
}

QDialog* showGlossary(QWidget* parent) {
    const auto reason = [](int code) { return QString::fromUtf8(to_string(static_cast<FlushReason>(code))); };
    const QList<TextRow> rows{
        {QStringLiteral("0"), reason(0),
         QDialog::tr("The CPU switched to another address space and its TLB had to forget the old one, or a "
                     "generation it had "
                     "missed. pages:0 means that the kept entries were still good.")},
        {QStringLiteral("1"), reason(1),
         QDialog::tr("On the target: a call-function interrupt came and this CPU flushed. It pays for "
                     "another CPU's munmap.")},
        {QStringLiteral("2"), reason(2), QDialog::tr("A range of kernel addresses was flushed on this CPU.")},
        {QStringLiteral("3"), reason(3),
         QDialog::tr("The initiator flushed its own TLB; the address space was its own.")},
        {QStringLiteral("4"), reason(4),
         QDialog::tr("On the initiator: IPIs went out to the CPUs of the mm's cpumask. One for each "
                     "shootdown, not for each target. "
                     "Counted as nr_tlb_remote_flush.")},
        {QStringLiteral("5"), reason(5),
         QDialog::tr("On the target: the interrupt came, but the CPU had left this mm in the meantime. "
                     "Nothing was flushed (6.14 and "
                     "later).")},
        {QStringLiteral("pages -1"), QStringLiteral("TLB_FLUSH_ALL"),
         QDialog::tr("A full flush: the range was beyond the ceiling or the shift's limit, or page tables "
                     "were freed.")},
        {QStringLiteral("pages n"), QDialog::tr("range flush"),
         QDialog::tr(
             "n × invlpg. The sender counts 4 KiB pages, the receiving and the local side count strides.")},
        {QDialog::tr("word"), QStringLiteral("shootdown"),
         QDialog::tr("An initiator makes the TLBs of other CPUs forget translations: decision, IPIs, "
                     "flushes, acknowledgements.")},
        {QDialog::tr("word"), QStringLiteral("lazy TLB"),
         QDialog::tr(
             "An idle CPU that keeps the last address space loaded; it need not be woken for most flushes.")},
        {QDialog::tr("word"), QStringLiteral("stale"),
         QDialog::tr("A TLB entry loaded from a page-table entry that has changed since. Allowed until the "
                     "flush is reported complete; "
                     "a use after that is a violation.")},
    };
    return showTable(
        parent, QDialog::tr("Glossary of flush reasons"),
        QDialog::tr(
            "tlb:tlb_flush prints a reason and its code, and the pages. These are the kernel's words."),
        {QDialog::tr("Code"), QDialog::tr("Name"), QDialog::tr("Meaning")}, rows);
}

QDialog* showReport(QWidget* parent, const LoadProgress& load) {
    QList<TextRow> rows;
    for (const ReportLine& line : load.report) {
        QString text = grouped(line.count);
        if (!line.example.empty()) text += QStringLiteral("   ") + QString::fromUtf8(line.example);
        rows << TextRow{QString::fromStdString(line.group), QString::fromStdString(line.what), text};
    }
    const QString name = QFileInfo(QString::fromStdString(load.path)).fileName();
    return showTable(parent, QDialog::tr("Import report: %1").arg(name), QString::fromStdString(load.summary),
                     {QDialog::tr("Kind"), QDialog::tr("What"), QDialog::tr("Count")}, rows);
}

} // namespace tlbscope
