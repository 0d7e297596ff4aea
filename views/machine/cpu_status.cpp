#include "views/machine/cpu_status.h"

#include "views/format/format.h"

namespace tlbscope {

namespace {

QString taskName(const Snapshot& s, TaskId task) {
    const std::string& comm = s.log.names().comm(task);
    const QString number = QString::number(task);
    if (comm.empty()) return QStringLiteral("task ") + number;
    const QString name = QString::fromStdString(comm);
    return name.endsWith(u'/' + number) ? name : name + u' ' + number;
}

QStringList flushDetails(const CpuView& cpu, bool recorded) {
    if (cpu.pages_total < 0)
        return {QStringLiteral("full flush: CR3 write"), QStringLiteral("full flush"),
                QStringLiteral("full")};
    if (cpu.pages_total == 0) return {};
    const QString done = grouped(cpu.pages_done), all = grouped(cpu.pages_total);
    if (cpu.pages_done == 0) { // a recording does not tell how far a flush has come
        if (!recorded) return {};
        const QString pages = pagesText(cpu.pages_total);
        return {QStringLiteral("invlpg of ") + pages, pages};
    }
    return {QStringLiteral("invlpg ") + done + QStringLiteral(" of ") + all,
            done + QStringLiteral(" of ") + all, done + u'/' + all};
}

double flushProgress(const CpuView& cpu) {
    return cpu.pages_total > 0
               ? std::clamp(static_cast<double>(cpu.pages_done) / static_cast<double>(cpu.pages_total), 0.0,
                            1.0)
               : -1;
}

} // namespace

const char* stateWord(CpuState state) {
    switch (state) {
    case CpuState::idle:
        return "idle";
    case CpuState::lazy:
        return "idle, lazy TLB";
    case CpuState::user:
        return "user";
    case CpuState::syscall:
        return "system call";
    case CpuState::fault:
        return "page fault";
    case CpuState::blocked:
        return "blocked";
    case CpuState::flushing:
        return "flushing";
    case CpuState::waiting:
        return "waiting";
    case CpuState::servicing:
        return "servicing IPI";
    case CpuState::interrupt:
        return "interrupt";
    case CpuState::switching:
        return "switching mm";
    case CpuState::unknown:
        return "not seen yet";
    }
    return "";
}

const char* shortStateWord(CpuState state) {
    switch (state) {
    case CpuState::lazy:
        return "lazy";
    case CpuState::syscall:
        return "syscall";
    case CpuState::fault:
        return "fault";
    case CpuState::servicing:
        return "IPI";
    case CpuState::interrupt:
        return "irq";
    case CpuState::switching:
        return "switch";
    case CpuState::unknown:
        return "";
    default:
        return stateWord(state);
    }
}

QString CpuStatus::detail(const QFontMetricsF& metrics, double width) const {
    for (const QString& text : details)
        if (metrics.horizontalAdvance(text) <= width) return text;
    return {};
}

CpuStatus cpuStatus(const Snapshot& s, CpuId id) {
    CpuStatus out;
    const CpuView& cpu = s.cpus[id];
    out.word = QLatin1String(stateWord(cpu.state));
    switch (cpu.state) {
    case CpuState::waiting: {
        const QString got = QString::number(cpu.acks_got), all = QString::number(cpu.acks_needed);
        out.acks = cpu.acks_got;
        out.acksNeeded = cpu.acks_needed;
        if (cpu.acks_needed == 0) { // a recording does not count them
            out.details = {QStringLiteral("for acknowledgements"), QStringLiteral("for acks")};
            break;
        }
        const QString of = got + QStringLiteral(" of ") + all;
        out.details = {of + QStringLiteral(" acknowledgements"), of + QStringLiteral(" acks"), of,
                       got + u'/' + all};
        break;
    }
    case CpuState::flushing:
    case CpuState::servicing:
        out.details = flushDetails(cpu, s.machine && s.machine->recorded);
        out.progress = flushProgress(cpu);
        break;
    case CpuState::blocked:
        out.details = {QStringLiteral("waits for mmap_sem"), QStringLiteral("mmap_sem")};
        break;
    case CpuState::lazy:
        out.details = {QStringLiteral("borrows mm ") + QString::number(cpu.mm)};
        if (cpu.mm == 0) out.details.clear();
        break;
    case CpuState::idle:
    case CpuState::unknown:
        break;
    default:
        if (cpu.task) {
            const QString name = taskName(s, cpu.task);
            out.details = {name};
            if (cpu.mm) out.details.prepend(name + QStringLiteral(", mm ") + QString::number(cpu.mm));
        }
    }
    if (cpu.ipi_pending)
        out.details = {QStringLiteral("IPI pending, interrupts off"), QStringLiteral("IPI pending, irqs off"),
                       QStringLiteral("IPI pending"), QStringLiteral("pending")};
    return out;
}

QString cpuTooltip(const Snapshot& s, CpuId id) {
    const CpuView& cpu = s.cpus[id];
    const MachineDescription& m = *s.machine;
    const CpuStatus status = cpuStatus(s, id);
    QStringList lines;
    lines << QStringLiteral("CPU %1 · socket %2, core %3, sibling %4")
                 .arg(id)
                 .arg(m.topology.socket_of(id))
                 .arg(m.topology.core_of(id))
                 .arg(m.topology.sibling_of(id));
    lines << status.word +
                 (status.details.isEmpty() ? QString() : QStringLiteral(": ") + status.details.front());
    if (cpu.task)
        lines << taskName(s, cpu.task) +
                     (cpu.mm ? QStringLiteral(", mm ") + QString::number(cpu.mm) : QString());
    if (cpu.shootdown) lines << QStringLiteral("shootdown ") + grouped(std::int64_t{cpu.shootdown});
    if (cpu.irqs_off) lines << QStringLiteral("interrupts are off");
    for (const TlbArray& array : m.arrays) {
        if (array.sibling >= 0 && array.sibling != m.topology.sibling_of(id)) continue;
        lines << levelName(array.level) + QStringLiteral(": ") +
                     grouped(std::int64_t{validEntries(s, m.topology.core_of(id), array)}) +
                     QStringLiteral(" of ") + grouped(std::int64_t{array.entries()}) +
                     QStringLiteral(" entries valid, %1-way").arg(array.ways) +
                     (array.sibling < 0 && m.topology.threads_per_core > 1
                          ? QStringLiteral(", shared by the siblings")
                          : QString());
    }
    return lines.join(u'\n');
}

QString cpuSummary(const Snapshot& s, CpuId id) {
    const CpuStatus status = cpuStatus(s, id);
    QString out = QStringLiteral("CPU %1, ").arg(id) + status.word;
    if (!status.details.isEmpty()) out += QStringLiteral(", ") + status.details.front();
    if (!s.machine->arrays.empty())
        out += QStringLiteral(", %1 of %2 TLB entries valid")
                   .arg(s.cpus[id].valid_entries)
                   .arg(capacity(*s.machine, id));
    return out;
}

QString levelName(TlbLevel level) {
    switch (level) {
    case TlbLevel::dtlb:
        return QStringLiteral("L1 dTLB");
    case TlbLevel::dtlb_huge:
        return QStringLiteral("L1 dTLB 2M");
    case TlbLevel::itlb:
        return QStringLiteral("iTLB");
    case TlbLevel::stlb:
        return QStringLiteral("STLB");
    }
    return {};
}

QString levelShort(TlbLevel level) {
    switch (level) {
    case TlbLevel::dtlb:
        return QStringLiteral("dTLB");
    case TlbLevel::dtlb_huge:
        return QStringLiteral("2M");
    case TlbLevel::itlb:
        return QStringLiteral("iTLB");
    case TlbLevel::stlb:
        return QStringLiteral("STLB");
    }
    return {};
}

int validEntries(const Snapshot& s, int core, const TlbArray& array) {
    const std::size_t first = static_cast<std::size_t>(core) * s.machine->cells_per_core + array.first_cell;
    if (first + array.entries() > s.cells.size()) return 0;
    int valid = 0;
    for (std::size_t i = first; i < first + array.entries(); ++i)
        valid += s.cells[i].flags & TlbCell::kValid;
    return valid;
}

int capacity(const MachineDescription& m, CpuId cpu) {
    int total = 0;
    for (const TlbArray& array : m.arrays)
        if (array.sibling < 0 || array.sibling == m.topology.sibling_of(cpu))
            total += static_cast<int>(array.entries());
    return total;
}

} // namespace tlbscope
