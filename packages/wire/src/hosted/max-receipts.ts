// How many payments the hosted page's view has at most; apart from its schema, which the page does not load.

/** The newest ones. With fewer, the view has every payment. */
export const maxReceipts = 50
