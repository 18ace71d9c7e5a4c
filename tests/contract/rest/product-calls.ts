/**
 * The calls of the interface's contract that touch tables of the first foundation, by section of the list of calls
 * (`facts/ui-contract.md` §1-4, §10, §11, §14, §15, §18). Every line of `CALLS` is sent to both servers; `plans` is
 * what a section asks for, so that a line without a case is noticed.
 */
import { IDS } from "./product-data.ts";

export interface Call {
  target: string;
  method?: "POST" | "PATCH" | "DELETE";
  body?: unknown;
  /** Sent instead of `return=representation`. */
  count?: boolean;
  /** What an admin's request must answer. */
  status: number;
}

const AV = "id,name,avatar";
const read = (target: string, status = 200): Call => ({ target, status });
const counted = (target: string, status = 200): Call => ({ target, status, count: true });
const job = "/job_histories?&select=*&limit=50&offset=0";

/** Every line of the contract's lists for these tables; the key is its section and the relation it is about. */
export const CALLS: Record<string, Call[]> = {
  "§1.2 roles of the current user": [
    read(`/people_roles?id=in.(${IDS.ada})`),
    read(`/people_roles?id=in.(${IDS.ada},${IDS.ben})&order=name`),
  ],
  "§2 current user": [read(`/people?id=eq.${IDS.ada}`)],
  "§2 people": [read("/people?select=*&order=name.asc")],
  "§2 identities": [read("/identities")],
  "§2 teams": [read("/teams?deleted_at=is.null&order=name.asc")],
  "§2 team": [read(`/teams?id=eq.${IDS.team}`)],
  "§2 team members": [read(`/team_members?team_id=eq.${IDS.team}&select=*,person_id(*)`)],
  "§2 add members": [
    {
      method: "POST",
      target: "/team_members",
      body: [{ team_id: IDS.team, person_id: IDS.ada }],
      status: 201,
    },
  ],
  "§2 remove member": [{ method: "DELETE", target: `/team_members?person_id=eq.${IDS.ben}`, status: 200 }],
  "§2 team of a component": [
    read(`/team_components?component_id=eq.${IDS.component}&select=*,team:teams(*,%20created_by(${AV}))`),
  ],
  "§2 people unused": [
    {
      method: "POST",
      target: "/people",
      body: { name: "New", email: "new@example.org", avatar: "/n.png" },
      status: 201,
    },
    read("/people?email=eq.ada@example.org"),
    read(`/person?id=in.(${IDS.ada})`, 404),
  ],
  "§3 properties": [read(`/properties?select=*,created_by(${AV})&order=name`)],
  "§3 property": [read(`/properties?select=*,created_by(${AV})&name=eq.topology.cache&value=eq.false`)],
  "§3 add": [
    {
      method: "POST",
      target: "/properties",
      body: { name: "new.flag", value: "true", created_by: IDS.ada },
      status: 201,
    },
  ],
  "§3 edit": [
    {
      method: "PATCH",
      target: "/properties?name=eq.logs.enabled",
      body: { name: "logs.enabled", value: "off", created_by: IDS.ada },
      status: 200,
    },
  ],
  "§3 remove": [{ method: "DELETE", target: "/properties?name=eq.logs.enabled", status: 200 }],
  "§4 check history": [
    counted(
      `/check_statuses?check_id=eq.${IDS.check}&time=gt.2025-03-05T00:00:00.000Z&order=time.desc&limit=5&offset=0`,
      206,
    ),
    counted(
      `/check_statuses?check_id=eq.${IDS.check}&time=gt.2025-03-05T02:00:00.000Z&order=time.desc&status=eq.1&limit=50&offset=0`,
    ),
    counted(
      `/check_statuses?check_id=eq.${IDS.check}&time=gt.2025-03-05T02:00:00.000Z&order=time.desc&status=eq.0&duration=gte.500&limit=50`,
    ),
    counted(`/check_statuses?check_id=eq.${IDS.check}&order=time.desc&limit=5&offset=50`, 416),
  ],
  "§4 check link": [read(`/checks?id=eq.${IDS.check}&select=id,name,icon,status,type`)],
  "§4 check drawer": [
    read(
      `/checks?id=eq.${IDS.check}&select=*,canaries!checks_canary_id_fkey(id,name,source),agents!checks_agent_id_fkey(id,%20name),components:check_component_relationships(components(id,name,icon)),configs:check_config_relationships(configs(id,name,type))`,
    ),
  ],
  "§4 canary spec": [read(`/canaries?id=eq.${IDS.canary}&select=id,source,spec,name,namespace`)],
  "§4 check names": [read("/check_names?order=name")],
  "§4 canary names": [read("/canary_names?order=name")],
  "§4 checks of a component": [read(`/checks_by_component?component_id=eq.${IDS.component}`)],
  "§4 checks of a config": [read(`/check_summary_for_config?config_id=eq.${IDS.config}`)],
  "§5 component names": [
    read("/component_names?order=name.asc"),
    read("/component_names?order=name.asc&type=in.(Application,Node)"),
    read(`/component_names?id=eq.${IDS.component}`),
  ],
  "§5 component": [
    read(`/components?id=eq.${IDS.component}`),
    read(`/components?id=eq.${IDS.component}&select=id,topologies(id,name)`),
  ],
  "§5 component labels": [read("/component_labels?order=key")],
  "§5 topology": [read(`/topologies?id=eq.${IDS.topology}`)],
  "§5 agents": [read("/agents?select=id,name,description&order=name")],
  "§10 agents": [
    counted(
      `/agents_summary?select=*,created_by(${AV})&order=created_at.desc&&limit=50&offset=0&order=name.asc`,
    ),
    counted(`/agents_summary?select=*,created_by(${AV})&order=created_at.desc&&order=name.asc`),
  ],
  "§10 agent": [read(`/agents_summary?select=*&id=eq.${IDS.agent}`)],
  "§10 edit": [
    {
      method: "PATCH",
      target: `/agents?id=eq.${IDS.agent}`,
      body: { properties: { site: "south" } },
      status: 200,
    },
    {
      method: "PATCH",
      target: `/agents?id=eq.${IDS.agent}`,
      body: { deleted_at: "now()", cleanup: true },
      status: 200,
    },
  ],
  "§10 agent names": [
    read(`/agents?select=id,name,description&id=eq.${IDS.agent}`),
    read(`/agents?select=id,name,description&id=in.(${IDS.agent})`),
  ],
  "§11 connections": [
    read(`/connections?select=*,created_by(${AV})&deleted_at=is.null&order=created_at.desc&limit=100`),
  ],
  "§11 connection": [
    read(`/connections?id=eq.${IDS.connection}`),
    read(`/connections?id=eq.${IDS.connection}&select=id,name,type`),
  ],
  "§11 add": [
    {
      method: "POST",
      target: "/connections",
      body: {
        name: "git",
        namespace: "default",
        type: "git",
        url: "https://git",
        password: "secret",
        insecure_tls: false,
        properties: { ref: "main" },
        created_by: IDS.ada,
      },
      status: 201,
    },
  ],
  "§11 edit": [
    {
      method: "PATCH",
      target: `/connections?id=eq.${IDS.connection}`,
      body: {
        id: IDS.connection,
        name: "shop-db",
        type: "postgres",
        url: "postgres://other",
        password: "***",
        created_by: IDS.ada,
      },
      status: 200,
    },
  ],
  "§11 delete": [
    {
      method: "PATCH",
      target: `/connections?id=eq.${IDS.connection}`,
      body: { deleted_at: "now()" },
      status: 200,
    },
  ],
  "§11 names": [read("/connections_list?order=name")],
  "§14 job history": [
    counted(`${job}&order=created_at.desc`),
    counted("/job_histories?&select=*&limit=3&offset=3&order=name.asc", 206),
    counted(`${job}&resource_id=eq.${IDS.canary}&order=created_at.desc`),
    counted(
      `${job}&order=duration_millis.asc&and=(created_at.gt.2025-03-06T02:00:00.000Z,created_at.lt.2025-03-06T06:00:00.000Z)`,
    ),
    counted(`${job}&order=created_at.desc&duration_millis=gte.300`),
    counted(
      `${job}&resource_type=in.("canary")&name=in.("Canary")&status=not.in.("FAILED")&order=created_at.desc`.replaceAll(
        '"',
        "%22",
      ),
    ),
  ],
  "§13 notifications": [
    counted(
      `/notifications_summary?select=*,person:person_id(${AV}),team:team_id(id,name,icon),created_by(${AV})&order=created_at.desc`,
    ),
    read(`/notifications?id=eq.${IDS.notification}&select=*,person:person_id(${AV}),created_by(${AV})`),
    read(`/notification_silences?select=*&deleted_at=is.null&order=created_at.desc`),
    read(`/notification_send_history?notification_id=eq.${IDS.notification}&order=created_at.desc`),
  ],
  "§14 job names": [read("/job_history_names?order=name.asc")],
  "§15 event queue": [read("/event_queue_summary?order=last_failure.desc")],
  "§15 lists": [
    ...["teams", "topologies", "canaries", "config_scrapers"].map((table) =>
      read(
        `/${table}_with_status?select=*%2Ccreated_by%28id%2Cname%2Cavatar%29&deleted_at=is.null&order=created_at.desc&limit=100`,
      ),
    ),
    read("/topologies_with_status?select=*,created_by(id,name,avatar)&order=created_at.desc"),
    ...["connections", "logging_backends"].map((table) =>
      read(`/${table}?select=*,created_by(${AV})&deleted_at=is.null&order=created_at.desc&limit=100`),
    ),
    read(
      `/logging_backends?order=created_at.desc&select=id,spec,name,source,created_at,updated_at,created_by(${AV})&deleted_at=is.null`,
    ),
  ],
  "§15 detail": ["teams", "canaries", "topologies", "connections", "agents"].map((table) =>
    read(
      `/${table}?id=eq.${{ teams: IDS.team, canaries: IDS.canary, topologies: IDS.topology, connections: IDS.connection, agents: IDS.agent }[table]}`,
    ),
  ),
  "§15 create": [
    {
      method: "POST",
      target: "/teams",
      body: { name: "New team", icon: "x", spec: {}, created_by: IDS.ada },
      status: 201,
    },
    {
      method: "POST",
      target: "/canaries",
      body: { name: "new", namespace: "default", spec: { http: [] }, source: "UI", created_by: IDS.ada },
      status: 201,
    },
    {
      method: "POST",
      target: "/topologies",
      body: { name: "new", namespace: "default", spec: {}, source: "UI", created_by: IDS.ada },
      status: 201,
    },
    {
      method: "POST",
      target: "/config_scrapers",
      body: { name: "new", spec: {}, source: "UI", created_by: IDS.ada },
      status: 201,
    },
    {
      method: "POST",
      target: "/logging_backends",
      body: { name: "new", spec: {}, created_by: IDS.ada },
      status: 201,
    },
    { method: "POST", target: "/teams", body: { name: "New team", nope: 1 }, status: 400 },
  ],
  "§15 save": [
    {
      method: "PATCH",
      target: `/teams?id=eq.${IDS.team}`,
      body: {
        id: IDS.team,
        name: "Quay",
        icon: "anchor",
        spec: null,
        source: null,
        created_by: IDS.ada,
        created_at: "2025-03-01T00:00:00+00:00",
        updated_at: "2025-03-02T00:00:00+00:00",
        deleted_at: null,
      },
      status: 200,
    },
    {
      method: "PATCH",
      target: `/canaries?id=eq.${IDS.canary}`,
      body: {
        name: "web",
        namespace: "default",
        spec: { http: [{ url: "http://other" }] },
        labels: { app: "web" },
      },
      status: 200,
    },
  ],
  "§15 delete": ["teams", "canaries", "topologies"].map((table) => ({
    method: "PATCH" as const,
    target: `/${table}?id=eq.${{ teams: IDS.team, canaries: IDS.canary, topologies: IDS.topology }[table]}`,
    body: { deleted_at: "now()" },
    status: 200,
  })),
  "§17 hints and paths": [
    read("/canaries?labels->>app=eq.web&labels->>tier=is.null&select=id"),
    read("/checks?select=id,canaries(name)&order=canaries(name)&limit=5"),
    read("/canaries?select=id,name,checks(id,name)&order=name"),
    read("/canaries_with_status?select=id,name,created_by(name),agent:agent&order=created_at.desc"),
    read("/checks?type=in.(http,sql)&name=ilike.*r*&order=name&select=id,name"),
    read("/people?select=id,name,teams!teams_created_by_fkey(name)&order=name"),
  ],
  "§18 checks by others": [
    read(`/checks_by_config?config_id=eq.${IDS.config}`),
    read(`/check_summary?id=eq.${IDS.check}`),
    read("/check_statuses_1h?order=created_at.desc&limit=5"),
    read("/configs?select=id,name,agents(name)&order=name"),
    read(`/rpc/check_summary_for_component?id=${IDS.component}`),
    read(`/rpc/check_figures?ids={${IDS.check}}&since=2020-01-01T00:00:00Z&percentile=true`),
    read("/rpc/check_label_values?most=10"),
    read(`/rpc/lookup_components_by_check?id=${IDS.check}&select=id,name`),
    read(`/rpc/check_summary_for_component?id=${IDS.component}&status=neq.nothing&select=id,name,status`),
  ],
  "§12 permissions": [
    read(
      `/permissions?person_id=eq.${IDS.ben}&select=*,catalog:config_id(id,name,type,config_class),component:component_id(id,name,icon),canary:canary_id(id,name),playbook:playbook_id(id,title,name,icon),team:team_id(id,name,icon),person:person_id(${AV}),createdBy:created_by(${AV}),connection:connection_id(id,name,type)&limit=50&offset=0`,
    ),
    read("/playbooks?order=name&limit=5"),
  ],
  "§18 the others": [
    ...[
      "severities?order=id",
      "job_history?order=created_at.desc&limit=3",
      "job_history_latest_status?order=name",
      "check_labels?order=key",
      "check_statuses_5m?limit=5&order=check_id",
      "check_statuses_1d?limit=5&order=check_id",
      "check_summary_by_component?limit=5",
      "check_summary_by_config?limit=5",
      "config_items?order=name&limit=5",
      "config_names?order=name",
      "connection_details?order=name",
      "check_component_relationships",
      "check_config_relationships",
      "audit_log?order=id&limit=5",
      "identities_summary?order=email&limit=5",
    ].map((target) => read(`/${target}`)),
    read(`/rpc/uuid_to_ulid?id=${IDS.ada}`),
  ],
};

/** `.filter` calls: ours is asked the first form, the yardstick the second, as the contract's backend rewrites it. */
export const FILTERED: { ours: string; theirs: string }[] = [
  {
    ours: `${job}&resource_type.filter=canary&order=created_at.desc`,
    theirs: `${job}&resource_type=in.(canary)&order=created_at.desc`,
  },
  {
    ours: `${job}&name.filter=Canary,!Topology&order=created_at.desc`,
    theirs: `${job}&name=in.(Canary)&name=not.in.(Topology)&order=created_at.desc`,
  },
  {
    ours: `${job}&status.filter=!FAILED&order=created_at.desc`,
    theirs: `${job}&status=not.in.(FAILED)&order=created_at.desc`,
  },
  {
    ours: `${job}&created_at.filter=<now-1d&order=created_at.desc`,
    theirs: `${job}&created_at=lt.now&order=created_at.desc`,
  },
  {
    ours: "/checks?name.filter=front*,ord*&order=name",
    theirs: "/checks?or=(name.like.front*,name.like.ord*)&order=name",
  },
];
