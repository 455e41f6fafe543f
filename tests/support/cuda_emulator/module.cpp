// libcuda: modules (shared objects that nvrtc.cpp made), their kernels, launches.
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

#include "driver.h"

struct Module {
    int file = -1;
    void* library = nullptr;
    size_t argument_bytes = 0;
    EmuIndex* index = nullptr;
    std::vector<std::pair<std::string, std::pair<void*, size_t>>> shared;  // by mangled name
    std::map<std::string, std::unique_ptr<Function>> functions;

    ~Module() {
        if (library) dlclose(library);
        if (file >= 0) close(file);
    }
};

namespace {

std::map<Module*, std::shared_ptr<Module>> modules;
std::map<Function*, Module*> known;

constexpr size_t SHARED_LIMIT = 48 << 10;

size_t image_bytes(const unsigned char* image) {
    ElfW(Ehdr) header;
    memcpy(&header, image, sizeof header);
    return header.e_shoff + size_t(header.e_shnum) * header.e_shentsize;  // the table of sections comes last
}

/// Local static variables without an initial value: the __shared__ arrays.
void find_shared(const unsigned char* image, Module& module) {
    auto* header = reinterpret_cast<const ElfW(Ehdr)*>(image);
    auto* sections = reinterpret_cast<const ElfW(Shdr)*>(image + header->e_shoff);
    link_map* map = nullptr;
    if (dlinfo(module.library, RTLD_DI_LINKMAP, &map) != 0) return;
    for (size_t s = 0; s < header->e_shnum; s++) {
        if (sections[s].sh_type != SHT_SYMTAB) continue;
        auto* names = reinterpret_cast<const char*>(image + sections[sections[s].sh_link].sh_offset);
        auto* symbols = reinterpret_cast<const ElfW(Sym)*>(image + sections[s].sh_offset);
        for (size_t i = 0; i < sections[s].sh_size / sizeof(ElfW(Sym)); i++) {
            const ElfW(Sym)& symbol = symbols[i];
            const char* name = names + symbol.st_name;
            bool object = (symbol.st_info & 15) == STT_OBJECT && symbol.st_shndx < header->e_shnum;
            if (!object || strncmp(name, "_ZZ", 3) != 0 || sections[symbol.st_shndx].sh_type != SHT_NOBITS) continue;
            auto* address = reinterpret_cast<void*>(map->l_addr + symbol.st_value);
            module.shared.push_back({name, {address, size_t(symbol.st_size)}});
        }
    }
}

std::shared_ptr<Module> load(const unsigned char* image) {
    auto module = std::make_shared<Module>();
    size_t bytes = image_bytes(image);
    module->file = memfd_create("kernels", MFD_CLOEXEC);
    for (size_t done = 0; done < bytes;) {
        ssize_t wrote = module->file < 0 ? -1 : write(module->file, image + done, bytes - done);
        if (wrote <= 0) return nullptr;
        done += size_t(wrote);
    }
    // The file stays open while the module lives: dlopen takes a path seen before for the same library.
    std::string path = "/proc/self/fd/" + std::to_string(module->file);
    module->library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!module->library) return nullptr;
    auto* size = static_cast<const size_t*>(dlsym(module->library, "emu_argument_bytes"));
    auto address = reinterpret_cast<EmuIndex* (*)()>(dlsym(module->library, "emu_index_address"));
    if (!size || !address) return nullptr;
    module->argument_bytes = *size;
    module->index = address();
    find_shared(image, *module);
    return module;
}

std::unique_ptr<Function> find_function(Module& module, const char* name) {
    auto symbol = [&](const char* prefix) { return dlsym(module.library, (std::string(prefix) + name).c_str()); };
    void* run = symbol("emu_run_");
    auto* bound = static_cast<const unsigned*>(symbol("emu_bound_"));
    if (!run) return nullptr;
    auto made = std::make_unique<Function>();
    *made = Function{&module, name, reinterpret_cast<Run>(run), bound ? *bound : 1024, {}, 0};
    std::string own = "_ZZ" + std::to_string(strlen(name)) + name + "E";
    for (const auto& [mangled, place] : module.shared) {
        bool mine = mangled.compare(0, own.size(), own) == 0;
        bool another_kernels = false;
        if (!mine) {
            size_t length = 0, at = 3;
            while (at < mangled.size() && isdigit(mangled[at])) length = length * 10 + size_t(mangled[at++] - '0');
            another_kernels = dlsym(module.library, ("emu_run_" + mangled.substr(at, length)).c_str());
        }
        if (another_kernels) continue;
        made->shared.push_back(place);  // of the kernel, or of a helper that it may call
        if (mine) made->shared_bytes += place.second;
    }
    return made;
}

struct Arguments {
    alignas(16) unsigned char bytes[4096];
};

}  // namespace

std::shared_ptr<Module> module_of(Function* function) { return modules.at(function->module); }
bool is_function(Function* function) { return known.count(function) != 0; }
size_t argument_bytes(const Function& function) { return function.module->argument_bytes; }
EmuIndex* index_of(const Function& function) { return function.module->index; }

API int cuModuleLoadData(Module** module, const void* image) {
    ENTER();
    if (Result problem = forbidden_by_capture()) return problem;
    auto* bytes = static_cast<const unsigned char*>(image);
    if (!module || !bytes || memcmp(bytes, ELFMAG, SELFMAG) != 0) return INVALID_IMAGE;
    std::shared_ptr<Module> made = load(bytes);
    if (!made || made->argument_bytes > sizeof(Arguments)) return INVALID_IMAGE;
    modules[made.get()] = made;
    *module = made.get();
    return SUCCESS;
}

API int cuModuleUnload(Module* module) {
    std::lock_guard<std::recursive_mutex> held(everything);
    auto found = modules.find(module);
    if (found == modules.end()) return INVALID_HANDLE;
    for (const auto& named : found->second->functions) known.erase(named.second.get());
    modules.erase(found);  // a recorded launch may keep it alive a little longer
    return sticky;
}

API int cuModuleGetFunction(Function** function, Module* module, const char* name) {
    ENTER();
    auto found = modules.find(module);
    if (found == modules.end()) return INVALID_HANDLE;
    std::unique_ptr<Function>& kept = found->second->functions[name];
    if (!kept) kept = find_function(*found->second, name);
    if (!kept) return NOT_FOUND;
    known[kept.get()] = module;
    *function = kept.get();
    return SUCCESS;
}

API int cuLaunchKernel(Function* function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                       unsigned block_y, unsigned block_z, unsigned shared_bytes, Stream* stream, void** parameters,
                       void** extra) {
    ENTER();
    if (!is_function(function)) return INVALID_HANDLE;
    bool empty = !grid_x || !grid_y || !grid_z || !block_x || !block_y || !block_z;
    if (empty || grid_x > 2147483647u || grid_y > 65535 || grid_z > 65535) return INVALID_VALUE;
    if (block_x > 1024 || block_y > 1024 || block_z > 64 || size_t(block_x) * block_y * block_z > 1024)
        return INVALID_VALUE;
    // One parameter by value and static shared memory only: all else is a mistake of the caller.
    if (extra || !parameters || !parameters[0] || shared_bytes) return INVALID_VALUE;
    if (block_x * block_y * block_z > function->bound || function->shared_bytes > SHARED_LIMIT) return OUT_OF_RESOURCES;
    Arguments arguments;
    memcpy(arguments.bytes, parameters[0], argument_bytes(*function));
    EmuDim grid{grid_x, grid_y, grid_z}, block{block_x, block_y, block_z};
    auto run = [=](const void* values) {
        counters.launches++;
        if (long(counters.launches) != settings().fail_launch)
            run_grid(*function, grid, block, values);
        else if (!sticky)
            sticky = ILLEGAL_ADDRESS;  // without a word: the test that asked for it may read stderr
    };
    if (!is_capturing(stream)) return submit(stream, [&] { run(arguments.bytes); });
    auto kept = std::make_shared<Arguments>(arguments);
    std::shared_ptr<Module> alive = module_of(function);
    return submit(stream, [run, kept, alive] { run(kept->bytes); });
}
