// Restricts pages that anyone may read to the sandbox's own address.

import { isIP } from 'node:net'
import { Refusal } from '@lendloom/foundation/refusal'
import { isLocalhost } from '@lendloom/http/egress-policy'
import type { Auth } from '@lendloom/http/server'
import type { Context } from './context.ts'

/**
 * Anyone may read these pages, but only at the sandbox's own address, an IP address or localhost: a page in a browser on
 * this machine could otherwise read them under its own name, which it lets resolve to this machine (DNS rebinding).
 */
export const ownHost = (name: string, path: string): Auth<Pick<Context, 'url'>, null> => ({
  scheme: null,
  check({ headers }, { url }) {
    const { hostname = '' } = URL.parse(`http://${headers.host}`) ?? {}
    const isAddress = isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
    if (isAddress || isLocalhost(hostname) || hostname === new URL(url).hostname) return null
    throw new Refusal('forbidden', `the ${name} is at ${url}${path}`, { field: 'Host' })
  },
})
