/** The parts of the handshake that the library knows, without its own requests. It brings no types. */
declare module "httpntlm/ntlm.js" {
  interface Who {
    username: string;
    password: string;
    domain: string;
    workstation: string;
  }
  export function createType1Message(options: { domain: string; workstation: string }): string;
  export function parseType2Message(
    header: string,
    fail: (error: Error) => void,
  ): { targetInfo?: Buffer } | null;
  export function createType3Message(challenge: object, who: Who): string;
}
