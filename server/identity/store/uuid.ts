const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text that came from outside can be asked of a uuid column. */
export const isUuid = (value: string): boolean => UUID.test(value);
