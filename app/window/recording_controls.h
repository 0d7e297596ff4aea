// The left panel while a recording is open: what it is, and its flushes by reason.
#pragma once

#include "engine/session/snapshot.h"

#include <QWidget>

class QLineEdit;
class QPushButton;

namespace tlbscope {

struct Actions;
class ReasonTable;
class ThemedLabel;

class RecordingControls : public QWidget {
    Q_OBJECT
public:
    explicit RecordingControls(const Actions& actions, QWidget* parent = nullptr);
    void show(const Snapshot& snapshot);
    QLineEdit* jumpField() const { return jump_; }
    QLineEdit* searchField() const { return search_; }

Q_SIGNALS:
    void jumpRequested(const QString& place);
    void searchRequested(const QString& text);

private:
    ThemedLabel *name_, *facts_, *pairing_;
    QLineEdit *jump_, *search_;
    ReasonTable* reasons_;
    std::uint64_t run_ = 0;
};

// Code, the kernel's words, how often so far and in all, with a bar.
class ReasonTable : public QWidget {
    Q_OBJECT
public:
    explicit ReasonTable(QWidget* parent = nullptr);
    using Counts = std::array<std::uint64_t, 7>;
    void show(const Counts& soFar, const Counts& inAll);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Counts soFar_{}, inAll_{};
};

} // namespace tlbscope
