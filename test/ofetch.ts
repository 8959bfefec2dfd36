import { loadOfetch } from "../src/core/api/load-ofetch.ts";

// A process loads it with its first request. That takes longer than a test with a fake clock waits.
await loadOfetch();
