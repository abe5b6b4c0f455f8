// Which addresses a call may go to: what an outsider gives us as a URL must not lead into a private network.
import { BlockList, isIP } from 'node:net'

/** `public` is the internet and nothing else; `public-or-loopback` adds this machine, for a sandbox. */
export type EgressPolicy = 'anywhere' | 'public' | 'public-or-loopback'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** The special-purpose registries of RFC 6890 and their additions since, and the ranges that smuggle IPv4 into IPv6. */
const reserved = new BlockList()
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  // The host of a virtual machine at Azure: a public address that only the machine itself reaches.
  ['168.63.129.16', 32],
] as const)
  reserved.addSubnet(net, bits, 'ipv4')
for (const [net, bits] of [
  ['::', 96],
  ['::ffff:0:0:0', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
  ['5f00::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const)
  reserved.addSubnet(net, bits, 'ipv6')

/** Whether an IP address may be reached. IPv4 written inside IPv6 is judged as IPv4. */
export function isEgressAllowed(address: string, egress: EgressPolicy): boolean {
  if (egress === 'anywhere') return true
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
  if (loopback.check(address, family)) return egress === 'public-or-loopback'
  return !reserved.check(address, family)
}

/**
 * Why a URL may not be called, judged by its text alone; null when it may. Its host may still resolve to a private
 * address: the call looks again, at the addresses that it connects to.
 */
export function whyUnreachable(url: string, egress: EgressPolicy): string | null {
  const parsed = URL.parse(url)
  if (!parsed || !/^https?:$/.test(parsed.protocol)) return 'not an http or https address'
  if (egress === 'anywhere') return null
  if (parsed.username || parsed.password) return 'an address with credentials in it'
  const host = parsed.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (isIP(host)) return isEgressAllowed(host, egress) ? null : 'a private address'
  if (isLocalhost(host)) return egress === 'public-or-loopback' ? null : 'a private host name'
  return /\./.test(host) && !/\.(local|internal|home\.arpa|lan|corp|home|onion)$/i.test(host)
    ? null
    : 'a private host name'
}

/** RFC 6761: such names mean this machine, whatever a name server says. */
export const isLocalhost = (host: string): boolean => /(^|\.)localhost\.?$/i.test(host)
