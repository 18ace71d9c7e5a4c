import { SESSIONS_TITLE } from "#app/contract/words/auth.ts";
import { Button } from "#app/ui/button.tsx";
import { Card, SummaryLine } from "#app/ui/card.tsx";
import { Age, When } from "#app/ui/marks/time.tsx";
import { PostForm } from "#app/ui/post-form.tsx";
import type { SessionLine } from "./sessions.ts";

/** Where somebody is signed in, and the way to end each but the one that asks. `action` is the page's own address. */
export function SessionList({
  sessions,
  now,
  action,
}: {
  sessions: SessionLine[];
  now: number;
  action: string;
}) {
  const others = sessions.filter(({ isHere }) => !isHere);
  return (
    <Card
      title={SESSIONS_TITLE}
      actions={
        others.length > 1 ? (
          <PostForm intent="end-other-sessions" action={action}>
            <Button size="small">End all other sessions</Button>
          </PostForm>
        ) : null
      }
      summary={sessions.map((session) => (
        <SummaryLine key={session.id} name={<SessionWords session={session} now={now} />}>
          {session.isHere ? (
            "This browser"
          ) : (
            <PostForm intent="end-session" action={action}>
              <input type="hidden" name="session" value={session.id} />
              <Button size="small" aria-label={`End the session ${session.device || session.id.slice(0, 8)}`}>
                End this session
              </Button>
            </PostForm>
          )}
        </SummaryLine>
      ))}
    />
  );
}

function SessionWords({ session, now }: { session: SessionLine; now: number }) {
  const { device, methods, signedInAt, expiresAt } = session;
  return (
    <span className="grid">
      <span className="font-medium">{device || "A browser"}</span>
      <span className="text-xs text-muted">
        {signedInAt ? (
          <>
            Signed in <Age at={signedInAt} now={now} />
          </>
        ) : (
          "Signed in"
        )}
        {methods ? ` by ${methods}` : ""}
        {expiresAt ? (
          <>
            , until <When at={expiresAt} />
          </>
        ) : null}
      </span>
    </span>
  );
}
