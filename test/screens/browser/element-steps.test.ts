import { testSteps } from "./element-step-faults.ts";

// The colours of the dark scheme and wider windows are in element-steps.full.ts. 320 CSS pixels are a small phone, and 200 % on 640.
testSteps({ rules: { light: "all" }, widths: [320] });
