// A dock that looks like a card: rounded, with a quiet title line that also moves it.
#pragma once

#include <QDockWidget>

namespace tlbscope {

class Panel;
class ThemedLabel;

class PanelDock : public QDockWidget {
    Q_OBJECT
public:
    // `id`: objectName, for saved window states. Takes `content`. `margins`: room between the card's
    // edge and its content; views that paint to the edge want none.
    PanelDock(const QString& id, const QString& title, QWidget* content, bool margins, QWidget* parent);
    // The panel's title and context go to the title line.
    PanelDock(const QString& id, Panel* panel, QWidget* parent);

    void setHeading(const QString& title);
    // A shorter name for the tab when it shares its place; empty: the heading.
    void setTabName(const QString& name);
    // Small text at the right end of the title line.
    void setAside(const QString& text) { setAside(QStringList{text}); }
    // The longest alternative that fits; the longest comes first.
    void setAside(const QStringList& alternatives);
    QWidget* content() const { return content_; }
    // Open and in front of the docks it shares its place with.
    bool onScreen() const { return onScreen_; }

Q_SIGNALS:
    void appeared(); // can be seen now

protected:
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    void restyle();
    void showTitle();
    void nameTab();
    void elide();

    QWidget* bar_;
    QWidget* content_;
    ThemedLabel* title_;
    ThemedLabel* aside_;
    QStringList asideTexts_;
    QString tabName_;
    bool margins_, onScreen_ = false;
};

} // namespace tlbscope
