// An S3-compatible object store: Debian's OpenStack Swift, with one of each of its servers.
import { execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@lendloom/tests/setup/platform'
import aws4 from 'aws4'
import { atEnd } from '../../bench/setup/at-end.ts'
import { until } from './until.ts'

interface Bucket {
  /** Path-style URL. */
  url: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

export interface Swift {
  bucket: Bucket
  /** Sends a request to the bucket, signed with its key. */
  request(method: string, path: string, body?: Buffer): Promise<Response>
  /** Stops the server that receives requests. */
  down(): Promise<void>
  up(): Promise<void>
  stop(): void
}

const servers = ['account', 'container', 'object'] as const
const needed = [
  'memcached',
  'swift-proxy-server',
  'swift-ring-builder',
  ...servers.map((name) => `swift-${name}-server`),
]

/** Why Swift cannot be started here; null if it can. */
export function missingParts(): string | null {
  const absent = needed.filter((name) => !existsSync(`/usr/bin/${name}`))
  if (absent.length > 0)
    return `there is no ${absent.join(', ')}: apt-get install memcached swift-proxy swift-account swift-container swift-object`
  return process.getuid?.() === 0 ? null : 'its configuration is mounted in its place by root'
}

const user = 'nobody'
const region = 'ap-south-1'
const accessKeyId = 'lend:svc'
const secretAccessKey = 'a-secret-access-key'

/** Starts Swift with one empty bucket. */
export async function startSwift(): Promise<Swift> {
  const home = mkdtempSync(join(tmpdir(), 'lendloom-swift-'))
  chmodSync(home, 0o755)
  const etc = join(home, 'etc')
  const devices = join(home, 'devices')
  for (const directory of [etc, devices, join(devices, 'd1')]) mkdirSync(directory)
  const [uid, gid] = ['-u', '-g'].map((of) => Number(execFileSync('id', [of, user], { encoding: 'utf8' })))
  chownSync(join(devices, 'd1'), uid ?? 0, gid ?? 0)
  const running = new Map<string, () => void>()
  const stop = atEnd(() => {
    for (const end of running.values()) end()
    rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  })
  const run = (name: string, command: string, args: string[]) => {
    const log = openSync(join(home, `${name}.log`), 'a')
    const child = spawn(command, args, { stdio: ['ignore', log, log], detached: true })
    closeSync(log)
    child.unref()
    running.set(name, () => {
      running.delete(name)
      if (child.pid && child.exitCode === null) process.kill(-child.pid, 'SIGKILL')
    })
  }
  const start = (server: string) => {
    // The location of the secret for its paths is not configurable, so our directory is mounted there for these processes only.
    const script = `mount --bind ${etc} /etc/swift && exec "$@"`
    const program = [`/usr/bin/swift-${server}-server`, join(etc, `${server}.conf`)]
    run(server, 'unshare', ['--mount', 'sh', '-c', script, 'sh', ...program, '-v'])
  }
  try {
    const port = await freePort()
    const memory = await freePort()
    run('memcached', 'memcached', ['-u', user, '-l', '127.0.0.1', '-p', String(memory), '-m', '16'])
    await configure({ etc, devices, port, memory })
    for (const server of [...servers, 'proxy']) start(server)
    const bucket = { url: `http://127.0.0.1:${port}/files`, region, accessKeyId, secretAccessKey }
    const request = (method: string, path: string, body?: Buffer) => signed(bucket, method, path, body)
    const answers = () =>
      request('PUT', '').then(
        ({ status }) => status === 200 || status === 409,
        () => false,
      )
    await until(answers, 'Swift makes a bucket')
    return {
      bucket,
      request,
      async down() {
        running.get('proxy')?.()
        await until(
          () =>
            request('GET', '').then(
              () => false,
              () => true,
            ),
          'Swift is down',
        )
      },
      async up() {
        start('proxy')
        await until(
          () =>
            request('GET', '').then(
              ({ ok }) => ok,
              () => false,
            ),
          'Swift is up',
        )
      },
      stop,
    }
  } catch (error) {
    stop()
    throw error
  }
}

interface Places {
  etc: string
  devices: string
  port: number
  memory: number
}

async function configure({ etc, devices, port, memory }: Places): Promise<void> {
  const write = (name: string, text: string) => writeFileSync(join(etc, name), text)
  write(
    'swift.conf',
    '[swift-hash]\nswift_hash_path_prefix = a\nswift_hash_path_suffix = b\n[storage-policy:0]\nname = one\ndefault = yes\n',
  )
  const common = (own: number) =>
    `[DEFAULT]\nbind_ip = 127.0.0.1\nbind_port = ${own}\nuser = ${user}\nswift_dir = ${etc}\nworkers = 1\n`
  for (const server of servers) {
    const own = await freePort()
    const place = `devices = ${devices}\nmount_check = false\n`
    write(
      `${server}.conf`,
      `${common(own)}${place}[pipeline:main]\npipeline = ${server}-server\n[app:${server}-server]\nuse = egg:swift#${server}\n`,
    )
    const ring = (...args: string[]) =>
      execFileSync('/usr/bin/swift-ring-builder', [join(etc, `${server}.builder`), ...args], { stdio: 'ignore' })
    ring('create', '4', '1', '1')
    ring('add', `r1z1-127.0.0.1:${own}/d1`, '1')
    ring('rebalance')
  }
  const filters = [
    '[filter:catch_errors]\nuse = egg:swift#catch_errors',
    `[filter:cache]\nuse = egg:swift#memcache\nmemcache_servers = 127.0.0.1:${memory}`,
    `[filter:s3api]\nuse = egg:swift#s3api\nlocation = ${region}`,
    `[filter:tempauth]\nuse = egg:swift#tempauth\nuser_${accessKeyId.replace(':', '_')} = ${secretAccessKey} .admin`,
    '[filter:slo]\nuse = egg:swift#slo',
  ]
  const pipeline = '[pipeline:main]\npipeline = catch_errors cache s3api tempauth slo proxy-server'
  const app = '[app:proxy-server]\nuse = egg:swift#proxy\naccount_autocreate = true'
  write('proxy.conf', `${common(port)}${[pipeline, app, ...filters].join('\n')}\n`)
}

function signed({ url, accessKeyId, secretAccessKey }: Bucket, method: string, path: string, body?: Buffer) {
  const { origin, host, pathname, search } = new URL(url + path)
  const { headers } = aws4.sign(
    {
      service: 's3',
      region,
      host,
      method,
      path: pathname + search,
      headers: { 'X-Amz-Content-Sha256': 'UNSIGNED-PAYLOAD' },
    },
    { accessKeyId, secretAccessKey },
  )
  const own = Object.entries(headers ?? {}).map(([name, value]) => [name, String(value)])
  const sent = body && new Uint8Array(body)
  return fetch(origin + pathname + search, { method, headers: Object.fromEntries(own), ...(sent && { body: sent }) })
}
