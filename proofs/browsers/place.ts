// What the stories happen at: an installation of its own, as `npm start` runs it, and an app on this machine.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newApplicant } from '@lendloom/tests/setup/borrower'
import { startHost } from '@lendloom/tests/setup/embed-platform'
import { ask, freePort } from '@lendloom/tests/setup/platform'
import { atEnd } from '../../bench/setup/at-end.ts'
import { until } from '../setup/until.ts'

export interface Login {
  url: string
  email: string
  password: string
}

export interface LocalInstallation {
  platformUrl: string
  sandboxUrl: string
  operator: Login
  officer: Login
  /** The address of an app on `localhost` that embeds a new journey. */
  appUrl(): Promise<string>
  stop(): Promise<void>
}

const ports = [
  'PORT',
  'PARTNER_PORT',
  'SECOND_PARTNER_PORT',
  'SANDBOX_PORT',
  'SANDBOX_SMTP_PORT',
  'MAIL_IN_PORT',
] as const

export async function startPlace(): Promise<LocalInstallation> {
  const directory = mkdtempSync(join(tmpdir(), 'lendloom-browsers-'))
  const env: Record<string, string> = { LENDLOOM_DATA_DIR: directory, POSTGRES_PORT: String(await freePort()) }
  for (const name of ports) env[name] = String(await freePort())
  const home = join(import.meta.dirname, '..', '..')
  const child = spawn(process.execPath, [join(home, 'bin', 'lendloom.js'), 'start'], {
    cwd: home,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  atEnd(() => child.kill())
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  await until(() => output.includes('Lendloom is ready') || child.exitCode !== null, 'Lendloom is ready', 120)
  const {
    platform,
    sandbox,
    tenant,
    console: office,
    partners,
  } = JSON.parse(readFileSync(join(directory, 'sandbox.json'), 'utf8'))
  const pages = new Map<string, string>()
  const app = await startHost((path) => pages.get(path) ?? '<!doctype html><title>Empty</title>')
  return {
    platformUrl: platform.url,
    sandboxUrl: sandbox.url,
    operator: { url: office.url, ...personOf(office.people, 'admin') },
    officer: partners[0].desk,
    async appUrl() {
      const { body } = await ask(`${platform.url}/api/lab/sessions`, {
        method: 'POST',
        key: tenant.apiKey,
        body: newApplicant(),
      })
      const path = `/app-${pages.size}`
      pages.set(path, appPage(platform.url, body.data?.embedUrl ?? body.embedUrl))
      return `${app.url}${path}`
    },
    async stop() {
      // First, because the platform holds connections to the app open.
      child.kill()
      await app.stop()
      await ended
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

const personOf = (
  people: (Login & { role: string; tenantId: string | null })[],
  role: string,
): Pick<Login, 'email' | 'password'> => {
  const person = people.find((each) => each.role === role && each.tenantId === null)
  if (!person) throw new Error(`the sandbox has no ${role}`)
  return { email: person.email, password: person.password }
}

const appPage = (platformUrl: string, embedUrl: string) => `<!doctype html><html lang="en"><title>An app</title>
<meta name="viewport" content="width=device-width"><style>body { margin: 0; font-family: sans-serif } h1 { margin: 1rem; font-size: 1.25rem }</style>
<h1>An app on localhost</h1><div id="loan"></div><script src="${platformUrl}/sdk/lendloom.js"></script><script>
seen = []
Lendloom.mountLendloom({ container: loan, embedUrl: ${JSON.stringify(embedUrl)}, onReady: () => seen.push('ready'),
  onError: ({ code }) => seen.push('error ' + code), onUpdate: ({ borrower }) => seen.push('update ' + borrower.journey.status) })
</script>`
