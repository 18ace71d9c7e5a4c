/** OpenSearch asks and answers as Elasticsearch does. */
export { elasticsearch as opensearch } from "./elasticsearch.ts";
