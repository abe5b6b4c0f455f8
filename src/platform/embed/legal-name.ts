// The name under which a lender is registered, as its own long description tells it; pure.

/**
 * Lenders begin their long description with it, as `Kaveri Bank Limited. A private bank.` (FIS12, `long_desc`). A company
 * ends its name in its kind, and writes each word of it large: what is said otherwise is no name. Null where none is told,
 * and where it is the name that is shown anyway.
 */
export function legalNameOf({ name, longDescription }: { name: string; longDescription?: string | null }) {
  const [found] =
    /^(?:(?:[A-Z(][^\s.,;:]*|Pvt\.|&|and|of) ){1,8}(?:Limited|Ltd|LLP)\b/.exec(longDescription?.trim() ?? '') ?? []
  return found && found !== name ? found : null
}
