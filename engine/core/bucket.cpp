#include "engine/core/bucket.h"

namespace tlbscope {

const char* to_string(Bucket bucket) {
    switch (bucket) {
    case Bucket::user:
        return "user work";
    case Bucket::cache_miss:
        return "data-cache misses";
    case Bucket::page_walk:
        return "page walks";
    case Bucket::fault:
        return "page faults";
    case Bucket::syscall:
        return "system calls";
    case Bucket::local_flush:
        return "local flush";
    case Bucket::wait_acks:
        return "waiting for acknowledgements";
    case Bucket::ipi_service:
        return "servicing IPIs";
    case Bucket::interrupt:
        return "other interrupts";
    case Bucket::switch_mm:
        return "context switches";
    case Bucket::cr3_load:
        return "CR3 loads at kernel entry";
    case Bucket::idle:
        return "idle";
    case Bucket::count_:
        break;
    }
    return "invalid";
}

const char* to_string(MemoryLevel level) {
    switch (level) {
    case MemoryLevel::l1d:
        return "L1D";
    case MemoryLevel::l2:
        return "L2";
    case MemoryLevel::l3:
        return "L3";
    case MemoryLevel::memory:
        return "memory";
    }
    return "invalid";
}

} // namespace tlbscope
