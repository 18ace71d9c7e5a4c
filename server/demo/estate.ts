/**
 * The estate of the demo: what the company runs, how each check behaves, and what is broken at the moment. Pure data; the
 * addresses are those of the demo's own targets, so nothing outside the machine is ever asked.
 */
import { EXPIRED } from "./certificate.ts";
import type { Story } from "./stories.ts";
import type { Targets } from "./targets.ts";

/** A canary as it goes into the database, and each of its checks' stories. */
export interface DemoCanary {
  name: string;
  namespace: string;
  labels: Record<string, string>;
  spec: Record<string, unknown>;
  checks: DemoCheck[];
}

export interface DemoCheck {
  name: string;
  /** Its usual milliseconds. */
  ms: number;
  story: Story;
  everySeconds: number;
}

/** Namespace and canary, team, severity, interval, region, type; then its checks: name, usual ms, story if it has one. */
const SERVICES = `
shop/storefront                 web        critical  1m  eu-north  http  Front page 84; Search 120 flapping; Quote calculator 210; Checkout 160; Order status 95
shop/storefront-us              web        critical  1m  us-east   http  Front page (US) 140; Checkout (US) 230 outage; Order status (US) 150
shop/catalogue-api              web        high      2m  -         http  Tariffs 60; Services 45; Surcharges 52
shop/customer-portal            web        high      2m  -         http  Sign-in page 70; Invoices 180 slow; Shipments of a customer 130
shop/image-cdn                  web        low       5m  -         http  Label preview 35; Logo 12
edge/certificates               platform   high      5m  -         http  harborline.example 40; portal.harborline.example 42; partners.harborline.example 44 expired
edge/ingress-north              platform   blocker   1m  eu-north  tcp   Ingress 1 accepts connections 3; Ingress 2 accepts connections 3; Ingress 3 accepts connections 4
edge/ingress-us                 platform   blocker   1m  us-east   tcp   Ingress 1 accepts connections (US) 6; Ingress 2 accepts connections (US) 6
edge/dns-resolvers              platform   high      2m  -         tcp   Resolver a 2; Resolver b 2
edge/vpn-gateways               platform   medium    5m  -         tcp   Gateway Gothenburg 8; Gateway Rotterdam 9; Gateway Norfolk 22
payments/payments-api           payments   critical  1m  -         http  Authorise 190; Capture 170; Refund 160; Webhook receiver 48
payments/payment-providers      payments   blocker   1m  -         http  Card provider 260 outage; Direct debit provider 340; Invoice insurer 410
payments/ledger-db              payments   critical  1m  -         http  Primary takes writes 14; Replica 1 keeps up 16; Replica 2 keeps up 17 lagging; Backup of last night 25
payments/fraud-scoring          payments   high      2m  -         http  Score a payment 120; Model is current 30
payments/reconciliation         payments   medium    5m  -         http  Bank statements arrived 55; Nothing unmatched for a day 62
tracking/tracking-api           tracking   critical  1m  -         http  Track a parcel 75; Track a container 88; Event feed 64; Delivery estimate 150
tracking/scan-ingest            tracking   critical  1m  -         http  Scanner gateway 38; Queue is short 20; Dead letters 22
tracking/event-brokers          tracking   blocker   1m  -         tcp   Broker 1 2; Broker 2 2; Broker 3 3
tracking/maps                   tracking   medium    5m  -         http  Geocoder 220; Route planner 480 slow; Tiles 40
tracking/vessel-positions       tracking   medium    5m  -         http  Position feed 130; Port calls 145
warehouse/warehouse-gothenburg  warehouse  high      2m  eu-north  http  Management system 90; Label printers 33; Conveyor controller 18; Door sensors 15
warehouse/warehouse-rotterdam   warehouse  high      2m  eu-west   http  Management system (Rotterdam) 95; Label printers (Rotterdam) 36; Cold store 1 21; Cold store 2 22
warehouse/warehouse-gdansk      warehouse  high      2m  eu-east   http  Management system (Gdańsk) 110; Label printers (Gdańsk) 41 down; Conveyor controller (Gdańsk) 19
warehouse/warehouse-norfolk     warehouse  high      2m  us-east   http  Management system (Norfolk) 160; Sorter 24; Yard cameras 70
warehouse/inventory-db          warehouse  critical  1m  -         http  Inventory primary 12; Inventory replica 13
fleet/fleet-telematics          tracking   high      2m  -         http  Telematics gateway 85; Trucks seen in ten minutes 58; Fuel cards 140
fleet/driver-app                tracking   high      2m  -         http  Routes of today 105; Proof of delivery 125; Push messages 60
fleet/charging-stations         platform   low       5m  -         http  Depot Gothenburg 48; Depot Rotterdam 51; Depot Gdańsk 55
platform/kubernetes-north       platform   blocker   1m  eu-north  http  API server 28; Scheduler 15; Etcd has a leader 11; All nodes are ready 19
platform/kubernetes-us          platform   blocker   1m  us-east   http  API server (US) 44; Etcd has a leader (US) 17; All nodes are ready (US) 26
platform/registry               platform   medium    5m  -         http  Pull an image 75; Garbage collection ran 20
platform/build-farm             platform   medium    5m  -         http  Runners are free 31; Cache 18; Artifacts 66
platform/secrets-vault          platform   critical  1m  -         http  Unsealed 9; Issues a token 34
platform/object-storage         platform   high      2m  -         http  Put and get 52; Free space 16
platform/observability          platform   medium    5m  -         http  Metrics are fresh 41; Logs are searchable 230; Traces arrive 77
identity/single-sign-on         platform   critical  1m  -         http  Sign-in page (staff) 66; Issues tokens 49; Directory sync 37
office/mail                     platform   medium    5m  -         tcp   Inbound relay 7; Outbound relay 8; Submission 8
partners/customs-gateway        partners   critical  1m  -         http  Import declarations 520; Export declarations 540; Transit 610
partners/partner-carriers       partners   high      2m  -         http  Nordfrakt 280; Baltic Lines 310; Atlantic Road 360 flapping; Polar Air Cargo Desk 420
partners/edi                    partners   high      2m  -         http  Orders in 88; Invoices out 92; Acknowledgements 71
data/data-warehouse             data       medium    5m  -         http  Loaded this morning 45; Query latency 380; Dashboards 290
`;

/** Places that have an agent of their own, and for how many hours each has been silent. */
export const DEMO_AGENTS = [
  { name: "rotterdam-depot", description: "Cold stores and yard of Rotterdam", silentHours: 0 },
  { name: "norfolk-terminal", description: "Container terminal Norfolk", silentHours: 0 },
  { name: "gdansk-depot", description: "Depot Gdańsk, moving to a new line", silentHours: 75 },
] as const;

/** What the silent one watched. */
export const PUSHED = {
  name: "yard-gdansk",
  namespace: "warehouse",
  agent: "gdansk-depot",
  checks: ["Gate", "Weighbridge", "Yard cameras (Gdańsk)"],
} as const;

/** The company's canaries on these targets. */
export function demoCanaries(targets: Targets): DemoCanary[] {
  return SERVICES.trim()
    .split("\n")
    .map((line) => {
      const [path = "", team = "", severity = "", interval = "", region = "", type = "", ...rest] =
        line.split(/ +/);
      const [namespace = "", name = ""] = path.split("/");
      const everySeconds = parseInt(interval) * 60;
      const checks = rest
        .join(" ")
        .split("; ")
        .map((words) => readCheck(words, everySeconds));
      const tier = severity === "critical" || severity === "blocker" ? "1" : "2";
      const labels = { team, tier, ...(region === "-" ? {} : { region }) };
      const entries = checks.map((check) => (type === "tcp" ? tcpEntry : httpEntry)(check, targets));
      const spec = { schedule: `@every ${interval}`, severity, owner: team, [type]: entries };
      return { name, namespace, labels, spec, checks };
    });
}

function readCheck(words: string, everySeconds: number): DemoCheck {
  const [, name = "", ms = "", story = "steady"] = /^(.+?) (\d+)(?: ([a-z]+))?$/.exec(words) ?? [];
  return { name, ms: Number(ms), story: story as Story, everySeconds };
}

function httpEntry({ name, ms, story }: DemoCheck, { http, https }: Targets) {
  return {
    name,
    url: `${story === "expired" ? https : http}/${story}/${ms}/${slug(name)}`,
    responseCodes: [200],
    thresholdMillis: story === "slow" ? ms * 2 : 5000,
    ...(story === "expired" ? { tlsConfig: { ca: EXPIRED.cert } } : {}),
  };
}

const tcpEntry = ({ name }: DemoCheck, { http }: Targets) => ({
  name,
  endpoint: new URL(http).host,
  thresholdMillis: 2000,
});

const slug = (name: string) =>
  name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
