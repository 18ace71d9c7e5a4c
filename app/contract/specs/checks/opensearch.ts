/** OpenSearch asks and answers as Elasticsearch does. */
export {
  elasticsearchFields as opensearchFields,
  ElasticsearchSpec as OpensearchSpec,
} from "./elasticsearch.ts";
