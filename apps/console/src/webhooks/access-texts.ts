// What an endpoint's server demands beside the signature: as people type it, and as it is shown.

import type { AccessRequest, ShownAccess } from '@lendloom/wire/hosted/endpoint-access'

/** What a form has; all empty for an endpoint without headers and credentials. */
export interface TypedAccess {
  /** One header a line, as `Name: value`. */
  headers: string
  tokenUrl: string
  clientId: string
  clientSecret: string
  scope: string
}

export const noTypedAccess: TypedAccess = { headers: '', tokenUrl: '', clientId: '', clientSecret: '', scope: '' }

/** A line without a colon is a name without a value, which the platform refuses in words. */
function headerIn(line: string): { name: string; value: string } {
  const colon = line.indexOf(':')
  return colon < 0
    ? { name: line.trim(), value: '' }
    : { name: line.slice(0, colon).trim(), value: line.slice(colon + 1).trim() }
}

/** The access as the API takes it: null for what is empty. */
export function accessRequestOf({ headers, tokenUrl, clientId, clientSecret, scope }: TypedAccess): AccessRequest {
  const lines = headers.split('\n').filter((line) => line.trim() !== '')
  const hasClient = [tokenUrl, clientId, clientSecret, scope].some((each) => each.trim() !== '')
  const client = { tokenUrl: tokenUrl.trim(), clientId: clientId.trim(), clientSecret: clientSecret.trim() }
  return {
    headers: lines.length === 0 ? null : lines.map(headerIn),
    clientCredentials: hasClient ? { ...client, ...(scope.trim() && { scope: scope.trim() }) } : null,
  }
}

export const hasAccess = ({ headers, clientCredentials }: ShownAccess): boolean =>
  headers.length > 0 || clientCredentials !== null

/** What deliveries carry beside the signature, such as `x-api-key ••••6789, a token of auth.example`. */
export const accessText = ({ headers, clientCredentials }: ShownAccess): string =>
  [
    ...headers.map(({ name, value }) => `${name} ${value}`),
    ...(clientCredentials ? [`a token of ${new URL(clientCredentials.tokenUrl).host}`] : []),
  ].join(', ')
