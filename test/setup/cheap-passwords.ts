// Makes password hashes cheap in this process, because few tests depend on their cost.
import { passwordCost } from '#kit/crypto/password.ts'

Object.assign(passwordCost, { memory: 64, passes: 1 })
