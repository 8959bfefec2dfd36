import { Component } from "@angular/core";
import { LinkScreen } from "../../../../docs/examples/angular/link-screen.ts";
import { sandboxClient } from "../../../../docs/examples/sandbox-client.ts";

@Component({ selector: "link-app", imports: [LinkScreen], template: `<link-screen [client]="client" />` })
export class LinkApp {
  protected readonly client = sandboxClient();
}
