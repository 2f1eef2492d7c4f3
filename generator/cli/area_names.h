// SPDX-License-Identifier: Apache-2.0
// Where GPUs are rented, as people call it: a region of a seller, or a part of the world.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sizesheet {

struct Catalog;
struct Price;
struct PriceRules;

/// The places, of kJurisdictions, that a part of the world has: {"eu", "uk", "ch"} of "europe";
/// none of another word.
std::vector<std::string> places_of_area(std::string_view area);

/// The regions of sellers in a country, a state or a town: {"eu-central-1", …} of "frankfurt"; none
/// of another word.
std::vector<std::string> regions_of_place(std::string_view place);

/// The part of the world where a region is by its name, "eu" of "europe-west4"; "" of another word.
std::string area_of_region(std::string_view region);

/// Of `others` those that are nearest to a region, with the part of the world where it is.
std::vector<std::string> nearest_regions(const std::string& region,
                                         const std::vector<std::string>& others);

/// Whether a sentence may say the area by this word: "us" is none in "tell us", "US" is one.
bool says_area(const std::string& word);

/// Whether the price is of a region as `take_region` leaves it: an area, a name, or "eu-*".
bool is_in_region(const Price& price, const std::string& region);

/// Makes prices of this region alone count.
void put_region(const std::string& region, PriceRules& rules);

}  // namespace sizesheet
