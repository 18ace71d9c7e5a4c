/** What the contract's interface sends, odd forms included: facts §20 and the `.filter` notation. */
import { get, gets, request, type Case } from "../case.ts";

const exact = { prefer: "count=exact" };

export const interfaceCalls: Case[] = [
  ...gets("§20", 200, [
    "/projects?select=id,name,created_by(id,name,email))&order=id",
    "/projects?select=id,name,created_by(id,name,email))&id=eq.1",
    "/projects?id=eq.1&select(*,created_by(id,name))",
    "/projects?&select=id,name",
    "/projects?&select=*,created_by(id,name)&&order=created_at.desc",
    "/projects?select=id&&order=id.desc&&limit=2&&offset=1",
    "/projects?order=created_at.desc&select=id,name&limit=3&order=name.asc",
    "/projects?select=id,%20name,%20mood",
    "/projects?select=id,+name,+teams(id,+name)",
    "/projects?select=id%2C%20name%2Cteams(id%2C%20name)",
    "/tasks?select=id,projects!tasks_project_id_fkey(id,%20name)",
    "/projects?select=*,created_by(*)",
    "/bookings?select=person_id(*)",
    "/people?select=name,team:team_id(id,name)",
    "/bookings?select=person_id(*,team_id(*))",
    "/project_heads?select=*,created_by(id,name)",
    "/project_heads?select=*,owner:owner_id(id,name),team:team_id(id,name)",
    "/projects?select=id,tasks(id,*,parent_id(id))",
    "/projects?select=*,created_by(id,id,name,email)",
    "/people?select=id,made:project_heads!projects_created_by_fkey(id,name),owned:project_heads!projects_owner_fkey(id,name)",
    "/task_pairs?select=id,first:projects!project_id(name),second:projects!other_project_id(name)",
    "/people?select=id,teams:teams!people_team_id_fkey(id,name)&teams.order=name",
    "/teams?select=id,people:people!people_team_id_fkey(id,name)&people.order=name",
    "/people?select=id,projects!created_by!inner(id,tasks!inner(id,title))&projects.tasks.title=eq.dig",
    "/tasks?title=in.(Kubernetes::Node,AWS::EC2::Instance,dig)",
    '/tasks?title=in.("dig","pour")',
    "/tasks?title=in.(%22dig%22,%22pour%22)",
    "/projects?and=(created_at.gte.2024-02-01T00:00:00.000Z,created_at.lte.2024-04-30T23:59:59.999Z)&select=id",
    "/tasks?order=done,title.asc&select=id,title",
    "/tasks?title=ilike.*dig*&select=id",
    "/projects?labels->>app=eq.web&deleted_at=is.null&select=id",
    "/rpc/projects_of?person=1&name=in.(%22Anchor%22)&mood=not.in.(%22busy%22)",
    "/rpc/projects_of?&person=1&&order=name.asc",
  ]),
  get("§20", "/projects?select=id,name,created_by(id,name,email))&order=", "400 PGRST100"),
  get("§20", "/projects?select=id&limit=2", 200, {
    prefer: "return=representation",
    headers: { "Content-Type": "application/json" },
  }),
  get("§20", "/projects?select=*,created_by(id,name)&&limit=2&offset=1&order=id", 206, exact),
  get(
    "§20",
    "/tasks?project_id=eq.1&due=gt.2024-01-15T00:00:00.000Z&order=due.desc&limit=50&offset=0",
    200,
    exact,
  ),
  request("§20", "PATCH /projects?id=eq.2&select=id,name", 200, {
    prefer: "return=representation",
    body: { id: 2, name: "Bridge", tags: ["a"], labels: { app: "api" }, created_by: 1 },
  }),
  request("§20", "PATCH /projects?id=eq.2&select=id", 200, {
    prefer: "return=representation",
    body: { deleted_at: "now()" },
  }),
  request("§20", "POST /memberships", 201, {
    prefer: "return=representation",
    body: [
      { project_id: 2, person_id: 4 },
      { project_id: 2, person_id: 5 },
    ],
  }),
  request("§20", "POST /labels?select=*", 201, { prefer: "return=representation", body: { name: "x" } }),
  request("§20", "DELETE /memberships?person_id=eq.5", 200, { prefer: "return=representation" }),
];

/**
 * `col.filter=` is rewritten before PostgREST sees it: ours is asked the first, the yardstick the second. Time
 * columns take datemath.
 */
export const rewrites: { ours: string; theirs: string }[] = [
  { ours: "/tasks?title.filter=dig", theirs: '/tasks?title=in.("dig")' },
  { ours: "/tasks?title.filter=dig,pour", theirs: '/tasks?title=in.("dig","pour")' },
  { ours: "/tasks?title.filter=!dig", theirs: '/tasks?title=not.in.("dig")' },
  { ours: "/tasks?title.filter=!dig,!pour", theirs: '/tasks?title=not.in.("dig","pour")' },
  { ours: "/tasks?title.filter=dig*", theirs: "/tasks?title=like.dig*" },
  { ours: "/tasks?title.filter=*r", theirs: "/tasks?title=like.*r" },
  { ours: "/tasks?title.filter=dig*,span", theirs: '/tasks?or=(title.like.dig*,title.in.("span"))' },
  { ours: "/tasks?title.filter=dig*,!dig", theirs: '/tasks?title=like.dig*&title=not.in.("dig")' },
  { ours: "/tasks?title.filter=!dig*", theirs: "/tasks?title=not.like.dig*" },
  { ours: "/tasks?title.filter=!dig*,!*r", theirs: "/tasks?title=not.like.dig*&title=not.like.*r" },
  {
    ours: "/tasks?title.filter=a,!b,c*,*r",
    theirs: '/tasks?or=(title.in.("a"),title.like.c*,title.like.*r)&title=not.in.("b")',
  },
  { ours: "/tasks?title.filter=dig%20deeper", theirs: '/tasks?title=in.("dig%20deeper")' },
  { ours: "/tasks?title.filter=dig+deeper", theirs: '/tasks?title=in.("dig%20deeper")' },
  { ours: "/tasks?title.filter=Kubernetes::Node,dig", theirs: '/tasks?title=in.("Kubernetes::Node","dig")' },
  { ours: "/tasks?title.filter=dig&done=is.true", theirs: '/tasks?title=in.("dig")&done=is.true' },
  { ours: "/tasks?title.filter=dig&title.filter=pour", theirs: '/tasks?title=in.("dig")' },
  { ours: "/tasks?title.filter=", theirs: "/tasks" },
  { ours: "/tasks?title.filter", theirs: "/tasks" },
  { ours: "/tasks?select(*,x)&title.filter=dig&&", theirs: '/tasks?title=in.("dig")' },
  { ours: "/people?id.filter=1,2", theirs: "/people?id=in.(1,2)" },
  {
    ours: "/projects?mood.filter=calm,!odd&select=id",
    theirs: "/projects?mood=in.(calm)&mood=not.in.(odd)&select=id",
  },
  { ours: "/projects?mood.filter=!odd&select=id", theirs: "/projects?mood=not.in.(odd)&select=id" },
  {
    ours: "/rpc/projects_of?person=1&name.filter=Anch*",
    theirs: "/rpc/projects_of?person=1&name=like.Anch*",
  },
  {
    ours: "/rpc/all_projects?name.filter=Anchor,Canal&select=id,name",
    theirs: '/rpc/all_projects?name=in.("Anchor","Canal")&select=id,name',
  },
  {
    ours: "/projects?created_at.filter=<now-1d&select=id",
    theirs: "/projects?created_at=lt.2026-01-01&select=id",
  },
  {
    ours: "/projects?created_at.filter=>now-1d&select=id",
    theirs: "/projects?created_at=gt.2026-01-01&select=id",
  },
  {
    ours: "/projects?created_at.filter=%3Cnow-20h&select=id",
    theirs: "/projects?created_at=lt.2026-01-01&select=id",
  },
  {
    ours: "/projects?created_at.filter=>2024-02-01&select=id",
    theirs: "/projects?created_at=gt.2024-02-01&select=id",
  },
  {
    ours: "/projects?created_at.filter=<now&select=id",
    theirs: "/projects?created_at=lt.2026-01-01&select=id",
  },
  {
    ours: "/projects?select=id&deleted_at.filter=<now&limit=2",
    theirs: "/projects?select=id&deleted_at=lt.2026-01-01&limit=2",
  },
];
