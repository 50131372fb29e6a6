/* The kernel's own gigabyte. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KVM_STACKS 0xF8000000u	/* kernel stacks: kstack.c */
#define KVM_DEVICES 0xFC000000u /* a page for programs, then what map_device() has mapped */
#define KVM_DATA (PTE_P | PTE_W | PTE_G)

void kvm_init(uint32_t ram_end);
void kvm_use(void); /* this CPU, from here on */
void kvm_flush(void *); /* all translations of this CPU; for cpus_call() */
uint64_t *kvm_pte(uint32_t va, bool create);
void kvm_show(const void *page); /* to all programs, at TIME_PAGE */
void *map_device(uint32_t pa, size_t n); /* at boot: uncached; panics when there is no room */
