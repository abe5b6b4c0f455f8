// The addresses of an offer's pages. The token in them is secret, and grants access (D3 §2.4).

import type { Seal } from '@lendloom/seal/seal'
import type { Context } from '#partner/context.ts'

/** Paths of the key facts statement (KFS) and the terms. The token is unguessable and belongs to one offer. */
export const kfsPath = '/offers/{token}/key-facts'

export const kfsPdfPath = '/offers/{token}/key-facts.pdf'

export const termsPath = '/offers/{token}/terms'

type PublicUrlConfig = Pick<Context['config'], 'PARTNER_PUBLIC_URL'>

export const kfsUrl = ({ PARTNER_PUBLIC_URL }: PublicUrlConfig, token: string): string =>
  PARTNER_PUBLIC_URL + kfsPath.replace('{token}', token)

export const termsUrl = ({ PARTNER_PUBLIC_URL }: PublicUrlConfig, token: string): string =>
  PARTNER_PUBLIC_URL + termsPath.replace('{token}', token)

/** Returns the digest that is stored instead of the token, so that the database does not reveal the page's URL. */
export const kfsDigest = (seal: Seal, token: string): Buffer => seal.digest(token, 'key facts address')
