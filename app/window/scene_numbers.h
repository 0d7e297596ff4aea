// Numbers in a scene's text that the model produces, filled in from what it has computed by now.
//
//   {loss@500k}        loss of the figure's pair there: "9.3 %"
//   {loss@500k:0:2}    of line 2 against line 0
//   {most:0:2}         the largest such loss at any working set
//   {band@500k:2}      half the 5 to 95 % band of line 2 over placements: "± 4.1 %"
//   {knee:0}           working set of a line's knee: "430k"
//   {window}           the pair's window of loss: "310k to 690k"
//   {worst} {worst_at} the largest loss in it, and where that is
//   {part:tick}        the pair's loss at the cursor by part: tick, cr3, dtlb, itlb, pollution, placement
//   {measured_loss}    all of that, of which the parts are parts
//   {tlb_parts}        cr3, dtlb and itlb together
//   {refills}          extra page walks a tick at the cursor
//   {duel.refills}     extra page walks a tick between the two machines, now
//   {duel.cr3}         CR3 loads a tick of the right machine, now
//   {published:ID}     a row of resources/published with its unit
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tlbscope {

struct AttributionBand;
struct DuelSnapshot;
struct FigureData;
struct PublishedFigure;

struct NumberSources {
    const FigureData* figure = nullptr;
    const AttributionBand* attribution = nullptr;
    const DuelSnapshot* duel = nullptr;
    const std::vector<PublishedFigure>* published = nullptr;
};

// The text with its numbers; "…" for one that is not there yet.
std::string fill_numbers(const std::string& text, const NumberSources& sources);
// The first name in the text that no source will ever have; nothing: all are known. `lines`: of the figure.
std::optional<std::string> unknown_number(const std::string& text, std::size_t lines,
                                          const std::vector<PublishedFigure>& published);

} // namespace tlbscope
