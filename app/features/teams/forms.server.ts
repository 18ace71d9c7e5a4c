import { z } from "zod";
import { TEAM_ICON } from "#app/contract/words/teams.ts";
import { readSpec } from "#app/features/resources/spec/yaml.server.ts";

/** A name of a picture, as `/icons/<name>.svg` takes it. */
const ICON = /^[\w.:-]{1,80}$/;

/** YAML of a map; nothing at all is an empty one. What cannot be read is said with its line. */
const Spec = z
  .string()
  .default("")
  .transform((text, context) => {
    if (text.trim() === "") return {};
    const { spec, problems } = readSpec(text);
    if (spec) return spec;
    for (const { line, message } of problems)
      context.addIssue({ code: "custom", message: `Line ${line}: ${message}.` });
    return z.NEVER;
  });

/** What of a team is edited. */
export const TeamChanges = z.object({
  icon: z
    .string()
    .trim()
    .regex(ICON, "An icon is the name of a picture, like group or k8s-pod")
    .default(TEAM_ICON),
  spec: Spec,
  /** The version of the row that was seen. */
  seen: z.string().optional(),
});

export const NewTeam = TeamChanges.extend({
  name: z
    .string({ error: "This field is required" })
    .trim()
    .min(1, "This field is required")
    .max(200, "This field must not be longer than 200 characters"),
});

const Person = z.guid("There is no such user");
export const AddedMembers = z.object({
  people: z.array(Person).min(1, "Choose at least one user"),
});
export const RemovedMember = z.object({ person: Person });
