// Lists of IP addresses and networks: whether a text is one, and whether an address is within.
import { BlockList, isIP } from 'node:net'

/** An address, or a network as `10.0.0.0/8`. */
export function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/')
  const most = isIP(address) === 4 ? 32 : 128
  return (
    isIP(address) !== 0 && more.length === 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most))
  )
}

/** Whether an address is in one of the networks; an IPv4 address is the same however it is written. */
export function isWithin(address: string, networks: readonly string[]): boolean {
  const list = new BlockList()
  for (const network of networks) {
    const [start = '', bits] = network.split('/')
    const family = isIP(start) === 4 ? 'ipv4' : 'ipv6'
    list.addSubnet(start, bits === undefined ? (family === 'ipv4' ? 32 : 128) : Number(bits), family)
  }
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
  const family = isIP(plain)
  return family !== 0 && list.check(plain, family === 4 ? 'ipv4' : 'ipv6')
}
