import { sleep, statusOf, type Product } from "./product.ts";

const TYPE = "Fault::Probe";
const WRITERS = 3;

/** Clients that write one row after the other through `/api/db` until stopped, and remember which were acknowledged. */
export function startWriters({ url }: Product, cookie: string, seed: string) {
  const acknowledged: string[] = [];
  const refused: string[] = [];
  let going = true;

  async function write(writer: number): Promise<void> {
    for (let n = 0; going; n++) {
      const name = `fault-${seed}-${writer}-${n}`;
      const init = {
        method: "POST",
        headers: { cookie, origin: url, "content-type": "application/json" },
        body: JSON.stringify({ name, type: TYPE, config_class: "Probe" }),
      };
      const status = await statusOf(`${url}/api/db/config_items`, init, 10_000);
      const isAcknowledged = status !== null && status >= 200 && status < 300;
      (isAcknowledged ? acknowledged : refused).push(name);
      await sleep(isAcknowledged ? 5 : 25);
    }
  }
  const done = Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));

  return {
    acknowledged,
    refused,
    stop: async () => {
      going = false;
      await done;
    },
  };
}

/** How often each row is there, read back through the API. */
export async function countRows({ url }: Product, cookie: string): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (let offset = 0; ; offset += 1000) {
    const query = `select=name&type=eq.${TYPE}&order=id&limit=1000&offset=${offset}`;
    const response = await fetch(`${url}/api/db/config_items?${query}`, { headers: { cookie } });
    if (!response.ok) throw new Error(`reading back: ${response.status} ${await response.text()}`);
    const rows = (await response.json()) as { name: string }[];
    for (const { name } of rows) counts.set(name, (counts.get(name) ?? 0) + 1);
    if (rows.length < 1000) return counts;
  }
}
