#include "engine/hardware/processor.h"

#include "engine/core/json.h"

#include <algorithm>
#include <bit>
#include <filesystem>

namespace tlbscope {

namespace {

// "calibration": chosen so that one published measurement comes out, which the source names.
const char* const kMarks[] = {"verified", "secondary", "derived", "estimate", "unverified", "calibration"};

// Every object with figures carries "mark" and "source".
void read_source(JsonObject& object, const std::string& field, ProcessorSpec& spec) {
    const std::string mark = object.string("mark");
    if (std::find(std::begin(kMarks), std::end(kMarks), mark) == std::end(kMarks))
        object.fail("mark", "is \"" + mark + "\"",
                    "verified, secondary, derived, estimate, unverified or calibration");
    const std::string source = object.string("source");
    if (source.empty()) object.fail("source", "is empty", "say where the figure comes from");
    spec.sources.push_back({field, mark, source});
}

TlbSpec read_tlb(JsonObject& tlbs, const char* field, ProcessorSpec& spec) {
    TlbSpec tlb;
    if (tlbs.is_null(field)) return tlb;
    JsonObject object = tlbs.object(field);
    tlb.entries = static_cast<std::uint32_t>(object.integer("entries", 1, 65536));
    tlb.ways = static_cast<std::uint32_t>(object.integer("ways", 1, 1024));
    if (tlb.entries % tlb.ways)
        object.fail("ways", "is " + std::to_string(tlb.ways) + ", which does not divide entries " +
                                std::to_string(tlb.entries));
    if (!std::has_single_bit(tlb.entries / tlb.ways))
        object.fail("entries", "over ways gives " + std::to_string(tlb.entries / tlb.ways) + " sets",
                    "a power of two");
    if (tlb.ways > 16 && tlb.ways != tlb.entries)
        object.fail("ways", "is " + std::to_string(tlb.ways), "at most 16, or all entries");
    const std::string replacement = object.string("replacement");
    if (replacement == "lru")
        tlb.replacement = Replacement::lru;
    else if (replacement == "plru")
        tlb.replacement = Replacement::plru;
    else if (replacement == "fifo")
        tlb.replacement = Replacement::fifo;
    else if (replacement == "random")
        tlb.replacement = Replacement::random;
    else
        object.fail("replacement", "is \"" + replacement + "\"", "lru, plru, fifo or random");
    if (tlb.replacement == Replacement::plru && (tlb.ways > 16 || !std::has_single_bit(tlb.ways)))
        object.fail("replacement", "is plru with " + std::to_string(tlb.ways) + " ways",
                    "plru needs 1, 2, 4, 8 or 16 ways");
    const std::string sharing = object.string("sharing");
    if (sharing == "private")
        tlb.sharing = Sharing::private_each;
    else if (sharing == "split")
        tlb.sharing = Sharing::split;
    else if (sharing == "shared")
        tlb.sharing = Sharing::shared;
    else
        object.fail("sharing", "is \"" + sharing + "\"", "private, split or shared");
    if (object.has("holds_huge")) tlb.holds_huge = object.boolean("holds_huge");
    if (tlb.holds_huge && std::string_view(field) != "stlb" && std::string_view(field) != "dtlb")
        object.fail("holds_huge", "is set",
                    "only the stlb and the dtlb may hold 2 MiB entries beside 4 KiB ones");
    read_source(object, "tlb." + std::string(field), spec);
    object.finish();
    return tlb;
}

// What few caches have: a tree for replacement, sectors, aliasing.
void read_cache_rules(JsonObject& object, std::string_view level, CacheSpec& cache) {
    if (object.has("replacement")) {
        const std::string replacement = object.string("replacement");
        if (replacement == "plru")
            cache.replacement = Replacement::plru;
        else if (replacement != "lru")
            object.fail("replacement", "is \"" + replacement + "\"", "lru or plru");
        if (cache.replacement == Replacement::plru && !std::has_single_bit(cache.ways))
            object.fail("replacement", "is plru with " + std::to_string(cache.ways) + " ways",
                        "plru needs 1, 2, 4, 8 or 16 ways");
    }
    if (object.has("sector_lines")) {
        cache.sector_lines = static_cast<std::uint32_t>(object.integer("sector_lines", 1, 2));
        if (cache.sector_lines == 2 && level != "l2")
            object.fail("sector_lines", "is 2", "only the l2 may fetch two lines at once");
        if (cache.sector_lines == 2 && cache.bytes == 64 * std::uint64_t{cache.ways})
            object.fail("sector_lines", "is 2 with one set", "the two lines belong to neighbouring sets");
    }
    if (object.has("alias_64k")) {
        cache.alias_64k = object.boolean("alias_64k");
        if (cache.alias_64k && level != "l1d")
            object.fail("alias_64k", "is set", "only the l1d is looked up by linear addresses");
        if (cache.alias_64k && cache.bytes > std::uint64_t{kPageBytes} * cache.ways)
            object.fail("alias_64k",
                        "is set with " + std::to_string(cache.bytes / cache.ways) + " bytes a way",
                        "at most 4096: the index must lie within the page");
    }
}

CacheSpec read_cache(JsonObject& caches, const char* field, ProcessorSpec& spec) {
    CacheSpec cache;
    if (caches.is_null(field)) return cache;
    JsonObject object = caches.object(field);
    cache.bytes = static_cast<std::uint64_t>(object.integer("bytes", 1024, std::int64_t{1} << 30));
    cache.ways = static_cast<std::uint32_t>(object.integer("ways", 1, 16));
    cache.latency = object.integer("latency", 1, 1000);
    cache.stream = object.integer("stream", 0, 1000);
    if (cache.bytes % (64 * cache.ways) || !std::has_single_bit(cache.bytes / 64 / cache.ways))
        object.fail("bytes",
                    "over 64-byte lines and " + std::to_string(cache.ways) + " ways gives " +
                        std::to_string(cache.bytes / 64 / cache.ways) + " sets",
                    "a power of two");
    read_cache_rules(object, std::string_view(field), cache);
    read_source(object, "caches." + std::string(field), spec);
    object.finish();
    return cache;
}

Cycles read_cost(JsonObject& costs, const char* field, ProcessorSpec& spec, Cycles low = 1,
                 Cycles high = 10'000'000) {
    JsonObject object = costs.object(field);
    const Cycles cycles = object.integer("cycles", low, high);
    read_source(object, "costs." + std::string(field), spec);
    object.finish();
    return cycles;
}

void read_costs(JsonObject costs, ProcessorSpec& spec) {
    struct Row {
        const char* field;
        Cycles Costs::*member;
    };
    static constexpr Row rows[] = {
        {"invlpg", &Costs::invlpg},
        {"cr3_write", &Costs::cr3_write},
        {"stlb_hit", &Costs::stlb_hit},
        {"copy_line", &Costs::copy_line},
        {"zero_line", &Costs::zero_line},
        {"memory", &Costs::memory},
        {"memory_stream", &Costs::memory_stream},
        {"ipi_send", &Costs::ipi_send},
        {"ipi_send_each", &Costs::ipi_send_each},
        {"ipi_delivery", &Costs::ipi_delivery},
        {"irq_entry", &Costs::irq_entry},
        {"irq_exit", &Costs::irq_exit},
        {"ack", &Costs::ack},
        {"syscall", &Costs::syscall},
        {"vma_operation", &Costs::vma_operation},
        {"pte_clear", &Costs::pte_clear},
        {"pte_protect", &Costs::pte_protect},
        {"page_free", &Costs::page_free},
        {"fault", &Costs::fault},
        {"page_alloc", &Costs::page_alloc},
        {"rwsem", &Costs::rwsem},
        {"context_switch", &Costs::context_switch},
        {"wakeup", &Costs::wakeup},
        {"idle_exit", &Costs::idle_exit},
        {"timer_tick", &Costs::timer_tick},
    };
    for (const Row& row : rows)
        spec.costs.*row.member = read_cost(costs, row.field, spec);
    static constexpr Row optional_rows[] = {
        {"cr3_write_pae", &Costs::cr3_write_pae},
        {"cr3_write_noflush", &Costs::cr3_write_noflush},
        {"irq_handler", &Costs::irq_handler},
        {"invpcid", &Costs::invpcid},
        {"global_flush", &Costs::global_flush},
    };
    for (const Row& row : optional_rows)
        if (costs.has(row.field)) spec.costs.*row.member = read_cost(costs, row.field, spec);
    spec.costs.smt_percent = 100;
    if (spec.topology.threads_per_core > 1) {
        JsonObject object = costs.object("smt_speed");
        spec.costs.smt_percent = object.integer("percent", 100 / spec.topology.threads_per_core, 100);
        read_source(object, "costs.smt_speed", spec);
        object.finish();
    }
    costs.finish();
}

void read_footprint(JsonObject footprint, ProcessorSpec& spec) {
    struct Row {
        const char* field;
        std::uint32_t KernelFootprint::*member;
    };
    static constexpr Row rows[] = {{"timer", &KernelFootprint::timer},
                                   {"interrupt", &KernelFootprint::interrupt},
                                   {"syscall", &KernelFootprint::syscall}};
    for (const Row& row : rows) {
        JsonObject object = footprint.object(row.field);
        spec.footprint.*row.member = static_cast<std::uint32_t>(object.integer("bytes", 0, 1 << 20));
        read_source(object, "footprint." + std::string(row.field), spec);
        object.finish();
    }
    JsonObject pages = footprint.object("large_pages");
    spec.footprint.text_pages = static_cast<std::uint32_t>(pages.integer("text", 1, 64));
    spec.footprint.data_pages = static_cast<std::uint32_t>(pages.integer("data", 0, 64));
    read_source(pages, "footprint.large_pages", spec);
    pages.finish();
    footprint.finish();
}

// What must agree between the parts of a file that say which kernels and which loads it can do.
void check_modes(const JsonObject& root, const ProcessorSpec& spec) {
    const Costs& costs = spec.costs;
    if (!spec.long_mode) {
        if (!costs.cr3_write_pae)
            root.fail("costs.cr3_write_pae", "is missing", "a processor without long_mode runs PAE kernels");
        if (spec.psc_pml4 || spec.psc_pdpt || spec.psc_pd)
            root.fail("paging_structure_caches", "hold entries, which contradicts long_mode false",
                      "0, 0 and 0: walks of two levels are modelled without");
        if (costs.cr3_write_noflush) root.fail("costs.cr3_write_noflush", "contradicts long_mode false");
    } else if (costs.cr3_write_pae) {
        root.fail("costs.cr3_write_pae", "contradicts long_mode", "only 32-bit kernels use it");
    }
    if (costs.invpcid && !costs.cr3_write_noflush)
        root.fail("costs.invpcid", "needs cr3_write_noflush", "a processor with INVPCID has PCID");
    if (costs.memory_stream > costs.memory)
        root.fail("costs.memory_stream", "costs more than memory", "prefetching never makes a load slower");
    if (spec.dtlb.holds_huge && spec.dtlb_huge.entries)
        root.fail("tlb.dtlb.holds_huge", "contradicts dtlb_huge", "2 MiB entries are in one of the two");
}

} // namespace

ProcessorSpec parse_processor(const std::string& text, const std::string& file) {
    const boost::json::value document = parse_json(text, file);
    JsonObject root(document, file, "");
    ProcessorSpec spec;
    if (root.integer("version", 1, 1000) != 1)
        root.fail("version", "is not 1", "this program reads version 1");
    spec.name = root.string("name");
    spec.microarchitecture = root.string("microarchitecture");
    spec.vendor = root.string("vendor");
    spec.family_model = root.string("family_model");
    spec.hz = root.number("clock_hz", 1e6, 1e11);
    if (root.has("long_mode")) spec.long_mode = root.boolean("long_mode");

    JsonObject topology = root.object("topology");
    spec.topology.sockets = static_cast<int>(topology.integer("sockets", 1, 8));
    spec.topology.cores_per_socket = static_cast<int>(topology.integer("cores_per_socket", 1, 1024));
    spec.topology.threads_per_core = static_cast<int>(topology.integer("threads_per_core", 1, 8));
    read_source(topology, "topology", spec);
    topology.finish();
    spec.topology.validate((file + ": topology").c_str());

    JsonObject tlbs = root.object("tlb");
    spec.dtlb = read_tlb(tlbs, "dtlb", spec);
    spec.dtlb_huge = read_tlb(tlbs, "dtlb_huge", spec);
    spec.itlb = read_tlb(tlbs, "itlb", spec);
    spec.stlb = read_tlb(tlbs, "stlb", spec);
    if (!spec.dtlb.entries) tlbs.fail("dtlb", "is null", "every processor has an L1 dTLB");
    if (!spec.itlb.entries) tlbs.fail("itlb", "is null", "every processor has an iTLB");
    if (spec.stlb.entries && spec.stlb.entries < spec.dtlb.entries)
        tlbs.fail("stlb", "has fewer entries than dtlb");
    const int siblings = spec.topology.threads_per_core;
    const std::pair<const char*, const TlbSpec*> all[] = {
        {"dtlb", &spec.dtlb}, {"dtlb_huge", &spec.dtlb_huge}, {"itlb", &spec.itlb}, {"stlb", &spec.stlb}};
    for (const auto& [field, tlb] : all)
        if (tlb->entries && tlb->sharing == Sharing::split &&
            (siblings == 1 || tlb->entries % (static_cast<std::uint32_t>(siblings) *
                                              std::min(tlb->ways, tlb->entries / siblings))))
            tlbs.fail(field, "is split, which contradicts " + std::to_string(siblings) + " threads a core");
    tlbs.finish();

    JsonObject psc = root.object("paging_structure_caches");
    spec.psc_pml4 = static_cast<std::uint32_t>(psc.integer("pml4", 0, 64));
    spec.psc_pdpt = static_cast<std::uint32_t>(psc.integer("pdpt", 0, 64));
    spec.psc_pd = static_cast<std::uint32_t>(psc.integer("pd", 0, 64));
    read_source(psc, "paging_structure_caches", spec);
    psc.finish();

    JsonObject caches = root.object("caches");
    spec.l1d = read_cache(caches, "l1d", spec);
    spec.l2 = read_cache(caches, "l2", spec);
    spec.l3 = read_cache(caches, "l3", spec);
    if (!spec.l1d.bytes || !spec.l2.bytes) caches.fail("l2", "and l1d must both exist");
    if (spec.l2.latency <= spec.l1d.latency || (spec.l3.bytes && spec.l3.latency <= spec.l2.latency))
        caches.fail("l2", "latency must lie between those of l1d and l3");
    caches.finish();

    if (root.has("prefetcher")) {
        JsonObject prefetcher = root.object("prefetcher");
        spec.prefetch_streams = static_cast<std::uint32_t>(prefetcher.integer("streams", 0, 64));
        read_source(prefetcher, "prefetcher", spec);
        prefetcher.finish();
    }
    if (root.has("footprint")) read_footprint(root.object("footprint"), spec);

    read_costs(root.object("costs"), spec);
    if (spec.costs.memory <= (spec.l3.bytes ? spec.l3.latency : spec.l2.latency))
        root.fail("costs", "memory must cost more than the last cache level");
    check_modes(root, spec);

    JsonObject kernel = root.object("kernel");
    spec.tlb_lld_4k = static_cast<std::uint32_t>(kernel.integer("tlb_lld_4k", 0, 65536));
    spec.tlb_lli_4k = static_cast<std::uint32_t>(kernel.integer("tlb_lli_4k", 0, 65536));
    spec.shift_3_6 = static_cast<int>(kernel.integer("tlb_flushall_shift_3_6", -1, 12));
    spec.shift_3_14 = static_cast<int>(kernel.integer("tlb_flushall_shift_3_14", -1, 12));
    read_source(kernel, "kernel", spec);
    kernel.finish();
    root.finish();
    return spec;
}

namespace {
std::filesystem::path processor_dir(const std::string& resources) {
    return std::filesystem::path(resources) / "processors";
}
} // namespace

std::shared_ptr<const ProcessorSpec> load_processor(const std::string& resources, const std::string& id) {
    const auto ids = list_processors(resources);
    if (std::find(ids.begin(), ids.end(), id) == ids.end()) {
        std::string known;
        for (const auto& other : ids)
            known += (known.empty() ? "" : ", ") + other;
        throw Error("processor", "\"" + id + "\" is not in " + processor_dir(resources).string(),
                    known.empty() ? "the folder holds no .json file" : "known: " + known);
    }
    const std::string file = (processor_dir(resources) / (id + ".json")).string();
    auto spec = std::make_shared<ProcessorSpec>(parse_processor(read_text_file(file), file));
    spec->id = id;
    return spec;
}

std::vector<std::string> list_processors(const std::string& resources) {
    std::vector<std::string> ids;
    std::error_code ec;
    for (const auto& entry : std::filesystem::directory_iterator(processor_dir(resources), ec))
        if (entry.path().extension() == ".json") ids.push_back(entry.path().stem().string());
    std::sort(ids.begin(), ids.end());
    return ids;
}

} // namespace tlbscope
