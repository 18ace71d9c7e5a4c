/** `/notification/*`: what rules are asked besides `/db`. */
import { TestFailed, type Notifier } from "#server/engines/index.ts";
import { ApiError } from "./errors.ts";
import type { Route } from "./router.ts";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function notificationRoutes(notifier: Pick<Notifier, "test"> | null): Route[] {
  return [
    {
      method: "POST",
      path: "/notification/test/:id",
      who: "write:notifications",
      handler: async (c) => {
        const id = c.req.param("id") ?? "";
        const tested = UUID.test(id)
          ? await notifier?.test(id).catch((error: unknown) => {
              if (error instanceof TestFailed) throw new ApiError(400, error.message);
              throw error;
            })
          : null;
        if (!tested) throw new ApiError(404, "There is no such rule");
        return c.json({ message: "ok", payload: tested });
      },
    },
  ];
}
