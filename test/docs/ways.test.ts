import { expect, test } from "vitest";
import { drawWay, measureOverhang, type Way, ways } from "./ways.ts";

const drawn: readonly (readonly [string, Way])[] = Object.entries(ways);

test.each(drawn)(
  "the picture of the way of a %s is as its table says, and no label lies over anything",
  async (name, way) => {
    for (const message of way.messages) expect(measureOverhang(way, message), message[2]).toBeLessThan(0);
    await expect(drawWay(way)).toMatchFileSnapshot(`../../docs/pictures/ways/${name}.svg`);
  },
);
