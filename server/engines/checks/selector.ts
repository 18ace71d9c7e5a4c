/** What a component or a catalogue item must have, all of it; never empty. */
export interface Selector {
  id?: string;
  external_id?: string;
  name?: string;
  namespace?: string;
  type?: string;
  agent?: string;
  scope?: string;
  labels?: Record<string, string>;
}
export interface Related {
  components: Selector[];
  configs: Selector[];
}
