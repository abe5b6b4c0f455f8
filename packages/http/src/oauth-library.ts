// The OAuth and OpenID Connect library. It is loaded on first use, because few programs need it.

export type { ClientAuth, Configuration, IDToken } from 'openid-client'

export const loadClient = () => import('openid-client')
