// Decides which addresses a call may reach, because a URL from outside must not lead into a private network.
import { BlockList, isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { lazily } from '@lendloom/foundation/lazily'
import { load } from '@lendloom/foundation/load-package'

/**
 * `public` allows only the internet, and only by https, because calls carry personal data and credentials.
 * `public-or-loopback` also allows this machine and http, for a sandbox.
 */
export type EgressPolicy = 'anywhere' | 'public' | 'public-or-loopback'

/** Allows calls to public addresses only, except in the sandbox, whose parties are local. */
export const egressPolicyOf = ({ SANDBOX }: { SANDBOX: boolean }): 'anywhere' | 'public' =>
  SANDBOX ? 'anywhere' : 'public'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** Every block of IANA's registry of special-purpose IPv4 addresses, and multicast. */
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
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  // A public address that an Azure virtual machine uses to reach its host.
  ['168.63.129.16', 32],
] as const)
  reserved.addSubnet(net, bits, 'ipv4')

/** The blocks of IANA's registry of special-purpose IPv6 addresses that lie within `globalUnicast`. */
for (const [net, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
] as const)
  reserved.addSubnet(net, bits, 'ipv6')

/** The only IPv6 range that IANA assigns for the internet; it includes the special-purpose blocks above. */
const globalUnicast = new BlockList()
globalUnicast.addSubnet('2000::', 3, 'ipv6')
const ipv4Mapped = new BlockList()
ipv4Mapped.addSubnet('::ffff:0:0', 96, 'ipv6')

/** Whether the policy allows an IP address. An IPv4-mapped IPv6 address is checked as IPv4. */
export function isEgressAllowed(address: string, egress: EgressPolicy): boolean {
  if (egress === 'anywhere') return true
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
  if (loopback.check(address, family)) return egress === 'public-or-loopback'
  if (family === 'ipv6' && !ipv4Mapped.check(address, family) && !globalUnicast.check(address, family)) return false
  return !reserved.check(address, family)
}

/**
 * Says why the policy forbids a URL; null when the URL is allowed. Checks only the text of the URL. The host may
 * resolve to a private address, so the call also checks each address to which it connects.
 */
export function whyUnreachable(url: string, egress: EgressPolicy): string | null {
  const parsed = URL.parse(url)
  if (!parsed || !/^https?:$/.test(parsed.protocol)) return 'not an http or https address'
  if (egress === 'anywhere') return null
  if (parsed.username || parsed.password) return 'an address that contains credentials'
  const host = parsed.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (isIP(host) && !isEgressAllowed(host, egress)) return 'a private address'
  if (!isIP(host) && !isReachableName(host, egress)) return 'a private host name'
  return egress === 'public' && parsed.protocol !== 'https:' ? 'not an https address' : null
}

const isReachableName = (host: string, egress: EgressPolicy): boolean =>
  isLocalhost(host) ? egress === 'public-or-loopback' : isPublicName(host)

/** IANA's public top-level domains, in ASCII. A newer domain is refused until the package `tlds` is updated. */
const publicTopLevelDomains = lazily(() => {
  const listed: string[] = load('tlds')
  const domains = new Set(listed.map(domainToASCII))
  for (const domain of privateTopLevelDomains) domains.delete(domain)
  // RFC 6761 reserves `example`; documentation and the sandbox use it, and no server answers there.
  return domains.add('example')
})

/** Public top-level domains that private networks also use: for `home.arpa` and reverse look-ups, routers, clusters. */
const privateTopLevelDomains = ['arpa', 'box', 'prod']

/** Public domains whose names may resolve to private addresses, for example `10.0.0.1.nip.io`. */
const privateZones =
  /(?:^|\.)(?:internal\.cloudapp\.net|mshome\.net|ts\.net|(?:nip|sslip|xip)\.io|(?:localtest|lvh|traefik|vcap)\.me)$/i

/** Whether a host name has at least two labels and a public top-level domain, and is in no private zone. */
function isPublicName(host: string): boolean {
  const labels = host.toLowerCase().split('.')
  return (
    labels.length > 1 &&
    !labels.includes('') &&
    publicTopLevelDomains().has(labels.at(-1) ?? '') &&
    !privateZones.test(host)
  )
}

/** Whether a host name always means this machine (RFC 6761). */
export const isLocalhost = (host: string): boolean => /(^|\.)localhost\.?$/i.test(host)
