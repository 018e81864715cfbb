// Package language finds the languages in which an agent should reply and write
// its artifacts. They travel beside a replay prompt and never inside it.
package language
