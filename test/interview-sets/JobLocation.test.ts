import { assert, describe, it } from "@effect/vitest"
import {
  contains,
  isNewYorkCity,
  locationLines,
  placeText,
  readLocations,
  storedLocations,
  unreadLocation,
} from "../../src/interview-sets/JobLocation.ts"

const place = (country: string, region: string | null = null, city: string | null = null) => ({ country, region, city })

describe("a job's location", () => {
  it("is in its country, its region and its city", () => {
    const location = place("US", "NY", "New York")
    for (const one of [place("US"), place("US", "NY"), place("US", null, "new york"), location])
      assert.isTrue(contains(one, location), placeText(one))
    for (const one of [place("CA"), place("US", "CA"), place("US", "NY", "Albany")])
      assert.isFalse(contains(one, location), placeText(one))
    assert.isFalse(contains(place("US", "NY"), place("US")), "the location may be elsewhere in the country")
    assert.isFalse(contains(place("US", "NY", "New York"), place("US", "NY")))
  })

  it("has the same city in other cases, without accents, and with the word City", () => {
    assert.isTrue(contains(place("US", null, "New York City"), place("US", "NY", "NYC")))
    assert.isTrue(contains(place("BR", null, "Sao Paulo"), place("BR", "SP", "São-Paulo")))
    assert.isTrue(isNewYorkCity(place("US", "NY", "new york city")))
    assert.isTrue(isNewYorkCity(place("US", null, "New York")))
    assert.isFalse(isNewYorkCity(place("US", "NY")))
    assert.isFalse(isNewYorkCity(place("US", "TX", "New York")))
    assert.isFalse(isNewYorkCity(null))
  })

  it("is read from a line with names or codes, and written as it was", () => {
    const text = "New York, ny, United States\n DE \n\nMünchen, BY, Germany\nNY, US\nAlbany, US"
    assert.deepStrictEqual(
      readLocations(text).map(({ line: _, ...location }) => location),
      [
        place("US", "NY", "New York"),
        place("DE"),
        place("DE", "BY", "München"),
        place("US", "NY"),
        place("US", null, "Albany"),
      ],
    )
    assert.strictEqual(unreadLocation(readLocations(text)), undefined)
    assert.strictEqual(unreadLocation(readLocations("DE\nSpringfield")), "Springfield")
    const lines = locationLines([place("US", "NY", "New York"), place("DE")])
    assert.strictEqual(lines, "New York, NY, US\nDE")
  })

  it("is stored once", () => {
    const given = [
      { country: "US", region: "NY", city: "New York" },
      { country: "US", region: "NY", city: " new york " },
      { country: "US" },
    ]
    assert.deepStrictEqual(storedLocations(given), [place("US", "NY", "New York"), place("US")])
  })
})
