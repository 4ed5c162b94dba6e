#include "grader/present/web/pages/roofline.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "grader/base/human.h"
#include "grader/diagnostics/language.h"
#include "grader/present/layout.h"
#include "grader/present/web/svg.h"

namespace cudalabs {
namespace {

using html::Anchor;
using html::Svg;

struct Work {
  double instructions = 0, bytes = 0, wavefronts = 0;
};

Work work_of(const std::vector<LaunchSummary>& launches) {
  constexpr double kSector = 32;
  Work work;
  for (const LaunchSummary& launch : launches) {
    const sim::Counters& c = launch.counters;
    work.instructions += static_cast<double>(c.warp_instructions);
    work.bytes += kSector * static_cast<double>(c.global_load_sectors + c.global_store_sectors +
                                                c.global_atomic_sectors);
    work.wavefronts += static_cast<double>(c.shared_load_wavefronts + c.shared_store_wavefronts +
                                           c.shared_atomic_wavefronts);
  }
  return work;
}

constexpr double kWidth = 480, kHeight = 330;
constexpr double kLeft = 46, kRight = 8, kTop = 22, kBottom = 40;

/// Maps powers of ten to positions in the figure.
class Axes {
 public:
  explicit Axes(const Roofline& roofline) {
    const double ridge = roofline.issue / roofline.memory;
    // The ridge of the other roof is further left.
    double low_x = std::min(ridge, roofline.issue / roofline.l2), high_x = ridge, low_y = roofline.issue,
           high_y = roofline.issue;
    for (const RooflinePoint& point : roofline.points) {
      low_x = std::min(low_x, point.intensity());
      high_x = std::max(high_x, point.intensity());
      low_y = std::min(low_y, point.rate());
      high_y = std::max(high_y, point.rate());
      if (const double limit = roofline.shared_limit(point); limit > 0) low_y = std::min(low_y, limit);
    }
    constexpr double kRoom = 0.35;  // margin around everything drawn, in decades
    x0_ = std::log10(low_x) - kRoom;
    x1_ = std::log10(high_x) + kRoom;
    y0_ = std::log10(low_y) - kRoom;
    y1_ = std::log10(high_y) + kRoom;
  }

  [[nodiscard]] double x(double value) const {
    return kLeft + (std::log10(value) - x0_) / (x1_ - x0_) * (kWidth - kLeft - kRight);
  }
  [[nodiscard]] double y(double value) const {
    return kHeight - kBottom - (std::log10(value) - y0_) / (y1_ - y0_) * (kHeight - kTop - kBottom);
  }
  /// Angle of a line that rises by one decade per decade.
  [[nodiscard]] double degrees() const {
    const double rise = (kHeight - kTop - kBottom) / (y1_ - y0_),
                 run = (kWidth - kLeft - kRight) / (x1_ - x0_);
    return std::atan2(rise, run) * 180 / std::numbers::pi;
  }
  [[nodiscard]] double least_x() const { return std::pow(10, x0_); }
  [[nodiscard]] double most_x() const { return std::pow(10, x1_); }
  [[nodiscard]] double least_y() const { return std::pow(10, y0_); }

  void draw(Svg& svg) const {
    // Every decade has a line. Only some have a number, so that numbers do not overlap.
    const auto each = [](double from, double to, auto draw_one) {
      const int first = static_cast<int>(std::ceil(from)), last = static_cast<int>(std::floor(to));
      const int step = std::max(1, (last - first) / 8);
      for (int decade = first; decade <= last; decade += step) draw_one(std::pow(10, decade));
    };
    each(x0_, x1_, [&](double value) {
      svg.line(x(value), kTop, x(value), kHeight - kBottom, "grid");
      svg.text(x(value), kHeight - kBottom + 15, fmt::format("{:g}", value), Anchor::Middle, "tick");
    });
    each(y0_, y1_, [&](double value) {
      svg.line(kLeft, y(value), kWidth - kRight, y(value), "grid");
      svg.text(kLeft - 5, y(value) + 4, fmt::format("{:g}", value), Anchor::End, "tick");
    });
    svg.text((kLeft + kWidth - kRight) / 2, kHeight - 8,
             tr("warp instructions per byte of global memory requested"), Anchor::Middle, "axis");
    svg.text(0, 11, tr("10⁹ warp instructions a second"), Anchor::Start, "axis");
  }

 private:
  double x0_ = 0, x1_ = 1, y0_ = 0, y1_ = 1;
};

/// A roof: it rises with the bandwidth, then stays flat at the issue rate.
void roof(Svg& svg, const Axes& axes, double bandwidth, double issue, std::string_view name,
          html::Piece classes) {
  const double ridge = issue / bandwidth;
  const double from = std::max(axes.least_x(), axes.least_y() / bandwidth);
  if (from >= ridge) return;
  svg.line(axes.x(from), axes.y(from * bandwidth), axes.x(ridge), axes.y(issue), classes);
  const double at = from * std::pow(ridge / from, 0.08);
  svg.text_along(axes.x(at) - 4, axes.y(at * bandwidth) - 5, axes.degrees(),
                 tr("{} {} GB/s", translated_word(name), human_factor(bandwidth)), "tick");
}

/// Over each point the rate that its wavefronts of shared memory allow, if that is below the issue rate.
void shared_caps(Svg& svg, const Axes& axes, const Roofline& roofline) {
  constexpr double kHalf = 11;  // pixels
  for (const RooflinePoint& point : roofline.points) {
    const double limit = roofline.shared_limit(point);
    if (limit <= 0 || limit >= roofline.issue) continue;
    const double x = axes.x(point.intensity()), y = axes.y(limit);
    svg.line(x - kHalf, y, x + kHalf, y, point.reference ? html::Piece("cap theirs") : html::Piece("cap"));
    if (axes.y(point.rate()) > y) svg.line(x, y, x, axes.y(point.rate()), "cap stem");
  }
}

void sign(Svg& svg, std::size_t version, double x, double y, html::Piece classes) {
  constexpr double r = 5.5;
  const auto at = [&](double dx, double dy) {
    return html::coordinate(x + dx * r) + "," + html::coordinate(y + dy * r);
  };
  switch (version % 4) {
    case 0: svg.circle(x, y, r, classes); break;
    case 1: svg.box(x - r * 0.9, y - r * 0.9, r * 1.8, r * 1.8, classes); break;
    case 2: svg.polygon(at(0, -1.2) + " " + at(1.1, 0.9) + " " + at(-1.1, 0.9), classes); break;
    default: svg.polygon(at(0, -1.3) + " " + at(1.3, 0) + " " + at(0, 1.3) + " " + at(-1.3, 0), classes);
  }
}

struct Box {
  double x = 0, y = 0, width = 0, height = 0;
  [[nodiscard]] bool meets(const Box& other) const {
    return x < other.x + other.width && other.x < x + width && y < other.y + other.height &&
           other.y < y + height;
  }
};

/// Finds a place for a label near its point that covers no other label or point.
Box place_for(double x, double y, double width, const std::vector<Box>& taken) {
  constexpr double kText = 13, kNear = 10;
  std::vector<Box> tried;
  for (int ring = 0; ring < 6; ++ring) {
    const double off = ring * 14.0;
    for (const double dy : {0.0, -off, off}) {
      tried.push_back({x + kNear, y - kText / 2 + dy, width, kText});
      tried.push_back({x - kNear - width, y - kText / 2 + dy, width, kText});
    }
  }
  for (const Box& box : tried) {
    if (box.x < kLeft || box.x + box.width > kWidth || box.y < kTop || box.y + box.height > kHeight - kBottom)
      continue;
    if (std::ranges::none_of(taken, [&](const Box& other) { return box.meets(other); })) return box;
  }
  return tried.front();
}

std::size_t index_of(const std::vector<std::string>& versions, const std::string& name) {
  return static_cast<std::size_t>(std::ranges::find(versions, name) - versions.begin());
}

}  // namespace

double Roofline::limit(double intensity) const { return std::min(issue, memory * intensity); }

double Roofline::least_ns(const RooflinePoint& point) const {
  return std::max({point.instructions / issue, point.bytes / memory, point.wavefronts / shared});
}

double Roofline::shared_limit(const RooflinePoint& point) const {
  return point.wavefronts > 0 ? point.instructions / (point.wavefronts / shared) : 0;
}

Roofline roofline_of(const GradeResult& result, const sim::DeviceProfile& peaks) {
  Roofline roofline;
  roofline.issue = peaks.multiprocessors * peaks.issue_per_clock * peaks.clock_ghz;
  roofline.memory = peaks.memory_gb_per_s;
  roofline.shared = peaks.wavefronts_per_clock * peaks.multiprocessors * peaks.clock_ghz;
  roofline.l2 = 32 * peaks.sectors_per_clock * peaks.multiprocessors * peaks.clock_ghz;
  const auto add = [&](const std::string& name, bool reference, const std::vector<LaunchSummary>& launches,
                       double ns) {
    const Work work = work_of(launches);
    // Accepts times between a nanosecond and a day; others are not real measurements.
    if (ns >= 1 && ns <= 1e14 && work.instructions > 0 && work.bytes > 0)
      roofline.points.push_back({name, reference, work.instructions, work.bytes, work.wavefronts, ns});
  };
  for (const VersionResult& version : result.versions) {
    if (version.speed.source == TimeSource::None) continue;
    add(version.name, false, version.launches, version.speed.student_ns);
    add(version.name, true, version.reference_launches, version.speed.reference_ns);
  }
  return roofline;
}

html::Piece version_sign(std::size_t version) {
  static constexpr std::array<html::Piece, 4> kSigns{"●", "■", "▲", "◆"};
  return kSigns[version % kSigns.size()];
}

html::Html roofline_figure(const Roofline& roofline) {
  std::vector<std::string> versions;
  std::string description = tr(
      "The card's limit rises with {} GB/s of memory bandwidth up to {} billion warp instructions a second.",
      human_factor(roofline.memory), human_factor(roofline.issue));
  for (const RooflinePoint& point : roofline.points) {
    if (!point.reference) versions.push_back(point.version);
    description +=
        tr(" {}{}: {} at {} warp instructions a byte, {:.0f} % of the limit there.",
           point.reference ? tr("The reference's ") : "", point.version, human_factor(point.rate()),
           human_factor(point.intensity()), 100 * point.rate() / roofline.limit(point.intensity()));
    if (const double limit = roofline.shared_limit(point); limit > 0 && limit < roofline.issue)
      description += tr(" Its shared memory allows {}.", human_factor(limit));
  }
  Svg svg("roofline", kWidth, kHeight, "Roofline: how near each version is to the card's limit", description);
  const Axes axes(roofline);
  axes.draw(svg);
  roof(svg, axes, roofline.l2, roofline.issue, "L2", "roof cache");
  roof(svg, axes, roofline.memory, roofline.issue, "memory", "roof");
  const double ridge = axes.x(roofline.issue / roofline.memory), level = axes.y(roofline.issue);
  if (roofline.l2 > roofline.memory)
    svg.line(axes.x(roofline.issue / roofline.l2), level, ridge, level, "roof cache");
  svg.line(ridge, level, axes.x(axes.most_x()), level, "roof");

  shared_caps(svg, axes, roofline);

  std::vector<Box> taken;
  for (const RooflinePoint& point : roofline.points)
    taken.push_back({axes.x(point.intensity()) - 7, axes.y(point.rate()) - 7, 14, 14});
  const auto label = [&](double x, double y, const std::string& text, html::Piece classes) {
    const double width = 6.4 * static_cast<double>(display_width(text));
    const Box box = place_for(x, y, width, taken);
    taken.push_back(box);
    const bool left = box.x < x - 9;
    svg.text(left ? box.x + box.width : box.x, box.y + 10.5, text, left ? Anchor::End : Anchor::Start,
             classes);
  };
  svg.text(kWidth - kRight, level - 6, tr("instructions issued, {} · 10⁹/s", human_factor(roofline.issue)),
           Anchor::End, "tick");
  // Draws the references first, so that the student's sign is on top if both are in one place.
  for (const bool reference : {true, false}) {
    for (const RooflinePoint& point : roofline.points) {
      if (point.reference != reference) continue;
      const std::size_t version = index_of(versions, point.version);
      sign(svg, version, axes.x(point.intensity()), axes.y(point.rate()),
           reference ? html::Piece("theirs") : html::Piece("yours"));
    }
  }
  // A reference under the student's sign gets no label of its own.
  const RooflinePoint* last = nullptr;
  for (const RooflinePoint& point : roofline.points) {
    const double x = axes.x(point.intensity()), y = axes.y(point.rate());
    if (!point.reference) last = &point;
    if (point.reference && last != nullptr &&
        std::hypot(x - axes.x(last->intensity()), y - axes.y(last->rate())) < 14)
      continue;
    label(x, y, (point.reference ? tr("reference ") : "") + point.version.substr(0, 24),
          point.reference ? html::Piece("label soft") : html::Piece("label"));
  }
  return std::move(svg).write();
}

}  // namespace cudalabs
