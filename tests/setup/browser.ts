// Starts a real browser for tests: the program at CHROMIUM_PATH, or Chromium from npm.
import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core'
import { noteStart } from './costs.ts'
import { deadlineMs } from './deadline.ts'
import { atProcessEnd } from './process-end.ts'

const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const run = promisify(execFile)

let browser: Promise<Browser> | undefined

/** Returns the headless browser that all test files of this process share; it closes when the process ends. */
export async function sharedBrowser(): Promise<Browser> {
  browser ??= launchBrowser()
  // `return await`, because node:test attributes a test to another file if it awaits that file's promise.
  return await browser
}

atProcessEnd(async () => (await browser)?.close())

/** Opens a browser context with the suite's deadline and without animations, which are expensive to draw. */
export async function openContext(browser: Browser, options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
  context.setDefaultTimeout(deadlineMs)
  return context
}

/** Starts a browser; the caller closes it. */
export async function launchBrowser(): Promise<Browser> {
  noteStart('browsers')
  return chromium.launch({ ...(await chromiumProgram()), timeout: deadlineMs })
}

interface BrowserProgram {
  executablePath: string
  args: string[]
  env: Record<string, string>
}

export async function chromiumProgram(): Promise<BrowserProgram> {
  const programPath = process.env.CHROMIUM_PATH
  if (programPath) return { executablePath: programPath, args, env: ownEnvironment() }
  const home = await unpackChromium()
  const executablePath = join(home, 'chromium')
  return { executablePath, args, env: environment(home, executablePath) }
}

const ownEnvironment = () => ({ ...(process.env as Record<string, string>), HOME: process.env.HOME ?? tmpdir() })

const modules = join(import.meta.dirname, '..', '..', 'node_modules')

/** Unpacks Chromium once into node_modules/.cache. If two processes unpack at the same time, the first one wins. */
async function unpackChromium(): Promise<string> {
  const home = join(modules, '.cache', 'lendloom', 'chromium-fonts')
  if (existsSync(home)) return home
  mkdirSync(join(home, '..'), { recursive: true })
  const temporary = mkdtempSync(`${home}-`)
  // In a separate process, because the package unpacks into TMPDIR, which tests of this process use.
  const program = join(import.meta.dirname, 'unpack-chromium.ts')
  const archives = join(modules, '@sparticuz', 'chromium', 'bin')
  await run(process.execPath, [program, archives], { env: { ...process.env, TMPDIR: temporary } })
  const folders = [join(home, 'fonts'), join(modules, '@expo-google-fonts')].map((folder) => `<dir>${folder}</dir>`)
  writeFileSync(
    join(temporary, 'fonts', 'fonts.conf'),
    `<fontconfig>${folders.join('')}<cachedir>${home}/font-cache</cachedir></fontconfig>`,
  )
  try {
    renameSync(temporary, home)
  } catch {
    rmSync(temporary, { recursive: true })
  }
  return home
}

/** The browser's environment: fonts of packages, so that a page measures alike everywhere, and libraries if missing. */
function environment(home: string, executablePath: string): Record<string, string> {
  const env: Record<string, string> = { ...ownEnvironment(), FONTCONFIG_FILE: join(home, 'fonts', 'fonts.conf') }
  if (!canRun(executablePath, env)) env.LD_LIBRARY_PATH = join(home, 'al2023', 'lib')
  return env
}

function canRun(executablePath: string, env: Record<string, string>): boolean {
  try {
    execFileSync(executablePath, ['--version', '--no-sandbox'], { env, stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
