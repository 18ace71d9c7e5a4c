import { createContext, useContext } from "react";

const Nonce = createContext<string | undefined>(undefined);

/** Given by entry.server around the page. The browser hides nonces from scripts, so there it is undefined. */
export const NonceProvider = Nonce.Provider;
export const useNonce = () => useContext(Nonce);
