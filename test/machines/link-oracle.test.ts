import { testAgainstOracle } from "./against-oracle.ts";
import { linkModel } from "./link-facts.ts";

testAgainstOracle("link", linkModel);
