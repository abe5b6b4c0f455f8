// Where a borrower reads the key facts and the terms of one offer: an address that nobody can guess, and that opens no other.
import type { Seal } from '#kit/crypto/seal.ts'
import type { Context } from '#partner/context.ts'

export const kfsPath = '/offers/{token}/key-facts'
export const kfsPdfPath = '/offers/{token}/key-facts.pdf'
export const termsPath = '/offers/{token}/terms'

type Public = Pick<Context['config'], 'PARTNER_PUBLIC_URL'>

export const kfsUrl = ({ PARTNER_PUBLIC_URL }: Public, token: string): string =>
  PARTNER_PUBLIC_URL + kfsPath.replace('{token}', token)
export const termsUrl = ({ PARTNER_PUBLIC_URL }: Public, token: string): string =>
  PARTNER_PUBLIC_URL + termsPath.replace('{token}', token)

/** Only a digest of the token is kept: whoever reads the database cannot open the page. */
export const kfsDigest = (seal: Seal, token: string): Buffer => seal.digest(token, 'key facts address')
