// Runs the suite: test files that need nothing but themselves share one process, every other file has one of its own.
import { spawn } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'

const [only, ...options] = process.argv.slice(2)
if (only !== 'all' && only !== 'unit') throw new Error('say "all" or "unit", and then options of node --test')

const files = globSync(['src/**/*.test.ts', only === 'all' ? 'test/**/*.test.ts' : 'test/house.test.ts']).sort()

/** What a file needs a process of its own for: servers, databases, browsers, other programs, and what changes the process. */
const needsItsOwn = /test\/setup\/|#test\/|kit\/postgres|node:child_process|process\.(env|on|chdir)|mock\./
const isShared = (file: string): boolean => file.startsWith('src/') && !needsItsOwn.test(readFileSync(file, 'utf8'))
const shared = files.filter(isShared)
const alone = files.filter((file) => !isShared(file))

/** Gives the exit code of one `node --test`. What it prints comes at once, or when it has ended. */
function nodeTest(args: string[], prints: 'at once' | 'at its end'): Promise<number> {
  const child = spawn(process.execPath, ['--test', ...options, ...args], {
    stdio: ['ignore', prints === 'at once' ? 'inherit' : 'pipe', 'inherit'],
  })
  const output: Buffer[] = []
  child.stdout?.on('data', (chunk: Buffer) => output.push(chunk))
  return new Promise((resolve) =>
    child.on('close', (code) => {
      process.stdout.write(Buffer.concat(output))
      resolve(code ?? 1)
    }),
  )
}

const codes = await Promise.all([
  nodeTest(['--test-isolation=none', ...shared], 'at its end'),
  nodeTest(['--test-concurrency=3', '--test-global-setup=test/setup/global.ts', ...alone], 'at once'),
])
process.exitCode = codes.find((code) => code !== 0) ?? 0
