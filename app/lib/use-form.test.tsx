import { getFormProps, getInputProps } from "@conform-to/react";
import { getZodConstraint, parseWithZod } from "@conform-to/zod/v4";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { z } from "zod";
import { useConstrainedForm, type Constraints } from "./use-form.ts";

const Rename = z.object({ name: z.string().max(40), note: z.string().optional() });

function Form({ constraint, result }: { constraint: Constraints; result?: ReturnType<typeof refused> }) {
  const [form, fields] = useConstrainedForm<z.input<typeof Rename>>({
    id: "rename",
    constraint,
    result,
    defaults: { name: "Ada" },
  });
  return (
    <form {...getFormProps(form)}>
      <input {...getInputProps(fields.name, { type: "text" })} key="name" />
      <input {...getInputProps(fields.note, { type: "text" })} key="note" />
      <p>{fields.name.errors}</p>
    </form>
  );
}
function refused(name: string) {
  return parseWithZod(new URLSearchParams({ name }), { schema: Rename }).reply();
}

test("what the schema asks for becomes attributes, without the schema", () => {
  const constraint = JSON.parse(JSON.stringify(getZodConstraint(Rename))) as Constraints; // as a loader sends it
  const html = renderToStaticMarkup(<Form constraint={constraint} />);
  expect(html).toMatch(/<input[^>]*required=""[^>]*name="name"[^>]*value="Ada"/);
  expect(html).not.toMatch(/name="note"[^>]*required/);
});

test("a refused form keeps what was typed and says what is wrong", () => {
  const html = renderToStaticMarkup(<Form constraint={{}} result={refused("x".repeat(41))} />);
  expect(html).toContain(`value="${"x".repeat(41)}"`);
  expect(html).toContain('aria-invalid="true"');
  expect(html).toMatch(/<p>[^<]+<\/p>/);
});
