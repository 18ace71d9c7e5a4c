/**
 * Running text from Markdown (`markdown.server.ts` has made it safe). The measures are those of the design system; the
 * rules are here because the elements come without classes.
 */
export function Prose({ html }: { html: string }) {
  return (
    <div
      className={[
        "max-w-170 text-lg leading-relaxed wrap-anywhere max-sm:text-base",
        "[&>*+*]:mt-3 [&>h2]:mt-9 [&>h2]:border-b [&>h2]:border-line [&>h2]:pb-1.5 [&>h2]:text-xl [&>h2]:tracking-tight [&>h3]:mt-6",
        "[&_h2,&_h3]:scroll-mt-[calc(var(--topbar-height)+1rem)] [&_h2,&_h3]:font-semibold",
        "[&_.anchor]:ml-1 [&_.anchor]:text-faint [&_.anchor]:no-underline [&_.anchor]:opacity-0 [&_.anchor:focus-visible]:opacity-100 [&_:is(h2,h3):hover_.anchor]:opacity-100",
        "[&_a:not(.anchor)]:text-accent-ink [&_a:not(.anchor)]:underline [&_a:not(.anchor)]:decoration-current/40 [&_a:not(.anchor)]:underline-offset-[0.2em] [&_a:not(.anchor):hover]:decoration-current",
        "[&_ul]:list-disc [&_ul]:pl-5 [&_ol]:list-decimal [&_ol]:pl-5 [&_li+li]:mt-1 [&_li]:marker:text-faint",
        "[&_code]:rounded-sm [&_code]:bg-pressed [&_code]:px-1 [&_code]:py-px [&_code]:font-mono [&_code]:text-[0.875em]",
        "[&_pre]:overflow-x-auto [&_pre]:rounded-md [&_pre]:border [&_pre]:border-line [&_pre]:bg-sunken [&_pre]:px-4 [&_pre]:py-3 [&_pre]:text-xs [&_pre]:leading-relaxed [&_pre>code]:bg-transparent [&_pre>code]:p-0 [&_pre>code]:text-[1em] [&_pre>code]:whitespace-pre",
        "[&_.scroll]:overflow-x-auto [&_table]:w-full [&_table]:border-collapse [&_table]:text-base [&_th]:border-b [&_th]:border-line-strong [&_th]:py-1.5 [&_th]:pr-4 [&_th]:text-start [&_th]:font-semibold [&_td]:border-b [&_td]:border-line [&_td]:py-1.5 [&_td]:pr-4 [&_td]:align-top [&_td]:min-w-24",
        "[&_blockquote]:border-l-3 [&_blockquote]:border-line-strong [&_blockquote]:pl-4 [&_blockquote]:text-muted",
      ].join(" ")}
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}
