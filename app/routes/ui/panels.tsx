import { Info, Tag } from "lucide-react";
import { Button, LINK } from "#app/ui/button.tsx";
import { Card, SummaryLine } from "#app/ui/card.tsx";
import { KeyValue, KeyValues } from "#app/ui/key-values.tsx";
import { Tags } from "#app/ui/marks/badge.tsx";
import { Progress } from "#app/ui/marks/progress.tsx";
import { Count, Status } from "#app/ui/marks/status.tsx";
import { Section, SidePanel } from "#app/ui/section.tsx";
import { Columns, Examples } from "./example.tsx";

export function Panels() {
  return (
    <Examples id="panels" lead="Lines, not boxes. Only what floats has a shadow.">
      <Columns>
        <Card
          title="payments-gateway"
          heading="h3"
          status={<Status health="warning" />}
          actions={<Button size="small">Link to incident</Button>}
          summary={
            <>
              <SummaryLine name="Checks">
                <Count health="unhealthy" value="4" word="failing" />
                <Count health="healthy" value="18" word="passing" />
              </SummaryLine>
              <SummaryLine name="Pods">
                <Count health="warning" value="2" word="not ready" />
                <Count health="healthy" value="4" word="ready" />
              </SummaryLine>
            </>
          }
        >
          <KeyValues>
            <KeyValue name="Memory">
              2.9 GB of 3 GB
              <span className="basis-full">
                <Progress share={0.97} label="97 % of the memory used" />
              </span>
            </KeyValue>
          </KeyValues>
        </Card>
        <Card title="Quiet" heading="h3" lit>
          A card that needs somebody is lit at its edge.
        </Card>
        <SidePanel label="About payments-gateway" actions={<Button size="small">Playbooks</Button>}>
          <Section title="Details" icon={<Info aria-hidden="true" />} open>
            <KeyValues>
              <KeyValue name="Name">
                <b>payments-gateway</b>
              </KeyValue>
              <KeyValue name="Tags">
                <Tags labels={{ cluster: "prod-eu", namespace: "payments" }} />
              </KeyValue>
              <KeyValue name="Type">
                <a href="#panels" className={LINK}>
                  Kubernetes Deployment
                </a>
              </KeyValue>
              <KeyValue name="Image" mono>
                payments/gateway:4.12.0
              </KeyValue>
              <KeyValue name="Owner" dash />
            </KeyValues>
          </Section>
          <Section title="Labels" icon={<Tag aria-hidden="true" />} count="5">
            <KeyValues heading="app.kubernetes.io">
              <KeyValue name="part-of">checkout</KeyValue>
              <KeyValue name="managed-by">Helm</KeyValue>
            </KeyValues>
            <KeyValues heading="saltmarsh.example">
              <KeyValue name="owner">payments</KeyValue>
            </KeyValues>
          </Section>
        </SidePanel>
      </Columns>
    </Examples>
  );
}
