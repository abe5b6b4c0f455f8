// A URL from outside may lead to the internet and, in a sandbox, to this machine, but never to a private network.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isEgressAllowed, whyUnreachable } from './egress-policy.ts'

const loopbackUrls = [
  'http://127.0.0.1/',
  'http://127.1/',
  'http://2130706433/',
  'http://0x7f.0.0.1/',
  'http://0177.0.0.1/',
  'http://017700000001/',
  'http://127.0.0.1./',
  'http://127.255.255.254/',
  'http://[::1]/',
  'http://[0:0:0:0:0:0:0:1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://localhost/',
  'http://LOCALHOST./',
  'http://app.localhost/',
  'http://１２７.０.０.１/',
]

test('loopback addresses in every notation are allowed only by public-or-loopback', () => {
  for (const url of loopbackUrls) {
    assert.match(whyUnreachable(url, 'public') ?? '', /private/, url)
    assert.equal(whyUnreachable(url, 'public-or-loopback'), null, url)
  }
})

test('private, link-local and reserved addresses and names are refused, even in a sandbox', () => {
  for (const host of [
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '169.254.169.254',
    '172.31.255.255',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '[::]',
    '[::ffff:10.0.0.1]',
    '[::ffff:a9fe:a9fe]',
    '[::10.0.0.1]',
    '[::ffff:0:10.0.0.1]',
    '[::ffff:0:808:808]',
    '168.63.129.16',
    '[64:ff9b::a00:1]',
    '[2002:a00:1::]',
    '[2001:0:a00:1::]',
    '[fd00::1]',
    '[fe80::1]',
    '[fec0::1]',
    '[ff02::1]',
    '192.31.196.1',
    '192.52.193.1',
    '192.175.48.1',
    '[2620:4f:8000::1]',
    '[100::1]',
    '[100:0:0:1::1]',
    '[200::1]',
    '[4000::1]',
    '[5f00::1]',
    '[3fff::1]',
    'db',
    'db.svc',
    'db.default.svc',
    'db.default.svc.cluster.local',
    'vault.service.consul',
    'wiki.intranet',
    'db.localdomain',
    'db.localdomain6',
    'web.docker',
    'api.private',
    'mail.corp.',
    'db.svc..',
    'db..svc',
    'db.home.arpa',
    'DB.Intra',
    'vm1.internal.cloudapp.net',
    'nas.fritz.box',
    'router.box',
    'nas.homelab',
    'gateway.ip',
    'host.tail1234.ts.net',
    '10.0.0.1.nip.io',
    '10-0-0-1.sslip.io',
    'nip.io',
    'localtest.me',
    'app.lvh.me',
    'a.vcap.me',
    '10-0-0-1.traefik.me',
    'kubernetes.default',
    'a.openstacklocal',
    'a.novalocal',
    'a.mesos',
    'a.weave',
    'a.dns.podman',
    'a.multipass',
    'a.intern',
    'a.lab',
    'a.prod',
    'a.staging',
    'a.dlink',
    'a.belkin',
    'a.xn--zzzzzz',
    'x.test',
    'x.invalid',
    'metadata.google.internal',
    'printer.local',
    '3232235777',
    '0xa9fea9fe',
  ])
    for (const egress of ['public', 'public-or-loopback'] as const)
      assert.match(whyUnreachable(`https://${host}/hook`, egress) ?? '', /private/, `${host} ${egress}`)
})

test('internet addresses are accepted with https, and refused with http outside a sandbox and with credentials', () => {
  for (const url of [
    'https://hooks.example.com/a?b=c',
    'https://hooks.svc.example.com./',
    'https://bots.net/',
    'https://catnip.io/',
    'https://alocaltest.me/',
    'https://web.dev/',
    'https://उदाहरण.भारत/',
    'https://xn--p1b6ci4b4b3a.xn--h2brj9c/',
    'https://app.example/',
    'https://93.184.216.34:8080/',
    'https://[::ffff:93.184.216.34]/',
    'https://[2606:4700::1]/',
  ])
    assert.equal(whyUnreachable(url, 'public'), null, url)
  for (const url of ['http://hooks.example.com/', 'HTTP://hooks.example.com/', 'http://93.184.216.34:443/']) {
    assert.equal(whyUnreachable(url, 'public'), 'not an https address', url)
    assert.equal(whyUnreachable(url, 'public-or-loopback'), null, url)
  }
  assert.match(whyUnreachable('https://user:pass@example.com/', 'public') ?? '', /credentials/)
  for (const url of ['ftp://example.com/', 'file:///etc/passwd', 'javascript:alert(1)', 'not a url', ''])
    assert.match(whyUnreachable(url, 'anywhere') ?? '', /not an http or https/, url)
})

test('isEgressAllowed applies the policy to an IP address', () => {
  assert.equal(isEgressAllowed('93.184.216.34', 'public'), true)
  assert.equal(isEgressAllowed('2606:4700::1', 'public'), true)
  assert.equal(isEgressAllowed('::ffff:169.254.169.254', 'public-or-loopback'), false)
  assert.equal(isEgressAllowed('127.0.0.1', 'public-or-loopback'), true)
  assert.equal(isEgressAllowed('10.0.0.1', 'anywhere'), true)
})
