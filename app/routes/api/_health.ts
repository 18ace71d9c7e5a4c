/** Liveness of the web for whatever watches it; no session, no upstream (facts/ui-contract §0.3). */
export const loader = () => Response.json({ health: "ok" }, { headers: { "Cache-Control": "no-store" } });
