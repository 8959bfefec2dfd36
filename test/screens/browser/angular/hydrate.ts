import { provideZoneChangeDetection } from "@angular/core";
import { bootstrapApplication, provideClientHydration } from "@angular/platform-browser";
import "zone.js";
import { LinkApp } from "./link-app.ts";

// With zones, which Angular had before signals, and most of its applications have.
bootstrapApplication(LinkApp, { providers: [provideZoneChangeDetection(), provideClientHydration()] });
